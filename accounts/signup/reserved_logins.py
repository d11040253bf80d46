"""Reserved logins: those that could pass for the site or its staff, and offensive words.

The lists are in Latin letters, as logins are: English, Russian and Turkish words in the spellings
that people use for them. Harmless words that contain the same letters are allowed (Scunthorpe,
Therapist, Montenegro): most words count only when they stand by themselves.
"""

import re
from collections.abc import Iterator


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Reserved also with digits around them and combined with each other: `Admin7`, `SupportBot`,
# `TheStaff`.
_OFFICIAL = _set(
    """
    5star 5stars fivestar fivestars gammon nardy nardi tavla
    abuse accounts admin admins administr administrator anonim anonymous arbiter arbitr bank
    bot bots cashier dealer deleted founder gost guest help hakem house info kassa kurucu login
    logout misafir mod moder moderator mods official oficial ofitsial owner payment payments
    podderjka podderzhka postmaster rake referee resmi robot root security service servis shop
    signup sistem sistema staff sudya support sysadmin sysop system turnir turnuva tournament
    vladelets webmaster yardim yonetici yonetim destek
    """
)
# A login made of these words and at least one official word is reserved too.
_FILLING = _set("club com game games my net online real site star stars team the")
# Reserved as the whole login only: names of bots, and values that programming errors print.
_EXACT = _set("beginner casual club computer expert master strong undefined")

# Forbidden anywhere in the login: no harmless word of up to ten letters (the longest login)
# contains them, except those in _HARMLESS.
_ANYWHERE = _set(
    """
    arsehole asshole bitch blowjob bullshit childporn cocksuck cumshot cunt dickhead faggot fuck
    gangbang hitler jerkoff motherf nigga nigger paedo pedofil pedophil porno siegheil slut whore
    bliad bliat bljad bljat blyad blyat dalbaeb dolbaeb dolboeb dolboyob gavno gitler govno
    huesos huilo huisos huyesos huylo mudak mudila mudilo nahui nahuj nahuy naxui naxuy ohuel
    ohuen oxuel oxuen pidar pidor pizd pohui pohuy poxui poxuy shluha shluxa shlyuha shlyuxa
    suchka ubludok ublyudok uebok vyblyad xuesos xuilo xuylo xyesos zaebal zaebis zalupa zhopa
    amcik aminakoy amkoyim ananisik dalyarak gotveren kahpe kaltak orospu pezevenk serefsiz
    sikecem sikerim sikeyim siktir surtuk yarrak
    """
)
# Forbidden as the whole login, or as a word in it that digits or capitals separate.
_AS_A_WORD = _set(
    """
    arse bastard boner dildo jizz kike nazi nazis penis shit shits shitty twat vagina wank wanker
    blyadi churka ebanat ebanut gandon huynya jopa kurva kurwa pedik pidr pidrila svoloch xuynya
    yebat yobany zhopy
    dallama dangalak gavat ibne ibneler kancik kerhane picler tassak yarak yavsak
    """
)
# Forbidden as the whole login only: in a longer login they belong to names, places or plain words.
_ALONE = _set(
    """
    anal anus ass asses boob boobs cock cocks coon cum dick dicks dyke fag fags homo kkk milf negro
    piss prick pussy rape rapist sex spic tit tits xxx
    blya eban ebat hach hohol hui huj huy jid katsap khokhol khui khuy minet sosi suka suki trah
    urod xach xohol xui xuj xuy zhid
    amk kavat orosbu sik sikik sikim sikis
    """
)
_HARMLESS = re.compile("scunthorp|snigger|slutsk")
_NUMBERS = ("1488",)

_DIGITS = "0123456789"
_AS_LETTERS = [str.maketrans(_DIGITS, letters) for letters in ("olzeasgtbg", "oizeasgtbg")]


def is_official(login: str) -> bool:
    """Return whether the login could pass for the site or its staff."""
    small = login.lower()
    readings = {small, re.sub("[0-9]", "", small), *_spelled(small), *_bare(small)}
    return small in _EXACT or any(_is_made_of_official(text) for text in readings)


def is_offensive(login: str) -> bool:
    """Return whether the login contains an offensive word, also with digits in place of letters."""
    small = login.lower()
    whole = {re.sub("[0-9]", "", small), *_bare(small)}
    return (
        any(number in login for number in _NUMBERS)
        or any(text in _ALONE or text in _AS_A_WORD for text in _shortened(whole))
        or any(word in _AS_A_WORD for word in _words(login))
        or any(_holds_offense(text) for text in _shortened({*whole, *_spelled(small)}))
    )


def _holds_offense(text: str) -> bool:
    text = _HARMLESS.sub(" ", text)
    return any(word in text for word in _ANYWHERE)


def _is_made_of_official(text: str) -> bool:
    """Return whether the text is a sequence of listed words, at least one of them official."""
    reached = {0: False}  # end of a word -> whether an official word came before it
    for end in range(1, len(text) + 1):
        for start, has_official in list(reached.items()):
            word = text[start:end]
            if word in _OFFICIAL or word in _FILLING:
                reached[end] = reached.get(end, False) or has_official or word in _OFFICIAL
    return reached.get(len(text), False)


def _spelled(text: str) -> set[str]:
    """Read digits as the letters that they look like; 1 is read as l and as i."""
    return {text.translate(letters) for letters in _AS_LETTERS}


def _bare(text: str) -> set[str]:
    """Return readings without the digits at both ends, and at the end only (`4dmin1`)."""
    return _spelled(text.strip(_DIGITS)) | _spelled(text.rstrip(_DIGITS))


def _shortened(texts: set[str]) -> Iterator[str]:
    """Yield each text, also with repeated letters collapsed: `fuuuck`, `niggggger`."""
    for text in texts:
        yield text
        yield re.sub(r"(.)\1{2,}", r"\1\1", text)
        yield re.sub(r"(.)\1+", r"\1", text)


def _words(login: str) -> list[str]:
    """Split `BigShit9` into big, shit; a login without capitals and digits is one word."""
    return [word.lower() for word in re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", login)]
