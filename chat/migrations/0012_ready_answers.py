"""Add the first ready answers; staff change them in the admin."""

from django.db import migrations

ANSWERS = {
    "Need more details": {
        "en": (
            "Thank you for writing. To find the cause we need a little more: when did it happen, "
            "what did you press before, and what did you see then? A link to the match helps too. "
            "Please write it here."
        ),
        "ru": (
            "Спасибо за обращение. Чтобы найти причину, нам нужно чуть больше: когда это "
            "произошло, что вы нажали перед этим и что увидели потом? Поможет и ссылка на матч. "
            "Ответьте, пожалуйста, здесь же."
        ),
        "tr": (
            "Yazdığınız için teşekkürler. Nedenini bulabilmemiz için biraz daha bilgi gerekiyor: "
            "Ne zaman oldu, öncesinde neye bastınız ve sonra ne gördünüz? Maçın bağlantısı da "
            "işimizi kolaylaştırır. Lütfen buraya yazın."
        ),
    },
    "Credits are reserved": {
        "en": (
            "Your credits are not lost: they are reserved for an open game or a tournament. They "
            "come back if it does not take place or you cancel it. Your statement lists everything "
            "that is reserved."
        ),
        "ru": (
            "Ваши кредиты не пропали: они в резерве под открытую игру или турнир. Если игра "
            "не состоится или вы её отмените, они вернутся. Всё, что в резерве, видно в истории кредитов."
        ),
        "tr": (
            "Kredileriniz kaybolmadı: Açık bir oyun veya turnuva için ayrıldı. Oyun oynanmazsa "
            "veya siz iptal ederseniz geri döner. Ayrılan her şeyi hesap hareketlerinizde görebilirsiniz."
        ),
    },
    "Match checked, result stands": {
        "en": (
            "We have checked the match: moves, clocks and connections. The result is right and "
            "stays as it is. On the match’s page you can replay it and check every roll."
        ),
        "ru": (
            "Мы проверили матч: ходы, часы и соединение. Результат верный и остаётся в силе. На "
            "странице матча можно просмотреть его заново и проверить каждый бросок."
        ),
        "tr": (
            "Maçı inceledik: hamleler, saatler ve bağlantılar. Sonuç doğru, değişmiyor. Maçın "
            "sayfasında maçı baştan izleyebilir ve her zarı kontrol edebilirsiniz."
        ),
    },
    "Our fault, match is void": {
        "en": (
            "You are right, and we are sorry: the fault was ours. The match is void, both stakes "
            "went back in full, and it does not count for the rating."
        ),
        "ru": (
            "Вы правы, приносим извинения: это наша ошибка. Матч аннулирован, обе ставки "
            "возвращены полностью, на рейтинг он не влияет."
        ),
        "tr": (
            "Haklısınız, özür dileriz: Hata bizdeydi. Maç geçersiz sayıldı, iki bahis de tamamen "
            "iade edildi ve maç puanı etkilemiyor."
        ),
    },
    "Player report received": {
        "en": (
            "Thank you for telling us. We look at the matches and messages of this player. We do "
            "not tell anyone the result, but we act where the rules are broken. Until then you can "
            "mute or block the player."
        ),
        "ru": (
            "Спасибо, что сообщили. Мы изучим матчи и сообщения этого игрока. О результате мы "
            "никому не рассказываем, но при нарушении правил принимаем меры. А пока вы можете "
            "скрыть его сообщения или заблокировать его."
        ),
        "tr": (
            "Haber verdiğiniz için teşekkürler. Bu oyuncunun maçlarını ve mesajlarını inceliyoruz. "
            "Sonucu kimseyle paylaşmıyoruz ama kurallar çiğnendiyse gereğini yapıyoruz. O zamana "
            "kadar oyuncunun mesajlarını gizleyebilir veya onu engelleyebilirsiniz."
        ),
    },
    "Thanks for the idea": {
        "en": (
            "Thank you for the idea. We keep all of them together and choose from them what we "
            "build next. If it comes, you will read about it in the news of the site."
        ),
        "ru": (
            "Спасибо за идею. Мы собираем все предложения и выбираем из них, что делать дальше. "
            "Если она появится на сайте, вы узнаете об этом из новостей сайта."
        ),
        "tr": (
            "Fikriniz için teşekkürler. Bütün önerileri topluyor, sırada ne yapacağımızı onlardan "
            "seçiyoruz. Hayata geçerse sitenin yeniliklerinde okuyabilirsiniz."
        ),
    },
}


def write(apps, schema_editor):
    preset = apps.get_model("chat", "AnswerPreset")
    preset.objects.bulk_create(
        preset(name=name, language=language, text=text)
        for name, texts in ANSWERS.items()
        for language, text in texts.items()
    )


class Migration(migrations.Migration):
    dependencies = [("chat", "0011_support")]

    operations = [migrations.RunPython(write, migrations.RunPython.noop)]
