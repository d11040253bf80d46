"""Ready reasons to begin with; staff change them in the admin."""

import accounts.models.language
from django.db import migrations, models

REASONS = {
    "VOID": {
        "Our fault": {
            "en": "It was our fault: something went wrong on the site.",
            "ru": "Это наша вина: на сайте произошёл сбой.",
            "tr": "Hata bizdeydi: Sitede bir sorun oluştu.",
        },
        "Agreed result": {
            "en": "The result was agreed beforehand.",
            "ru": "О результате договорились заранее.",
            "tr": "Sonuç önceden kararlaştırılmıştı.",
        },
        "Both asked": {
            "en": "Both players asked us to.",
            "ru": "Об этом попросили оба игрока.",
            "tr": "Bunu iki oyuncu da istedi.",
        },
    },
    "REFUND": {
        "Bought by mistake": {
            "en": "It was bought by mistake.",
            "ru": "Покупка сделана по ошибке.",
            "tr": "Yanlışlıkla satın alınmış.",
        },
        "Charged twice": {
            "en": "The payment was charged twice.",
            "ru": "Оплата списана дважды.",
            "tr": "Ödeme iki kez alınmış.",
        },
    },
    "RESULT": {
        "Opponent did not come": {
            "en": "The opponent did not come to the table.",
            "ru": "Соперник не пришёл за доску.",
            "tr": "Rakip masaya gelmedi.",
        },
        "Our fault": {
            "en": "It was our fault: something went wrong on the site.",
            "ru": "Это наша вина: на сайте произошёл сбой.",
            "tr": "Hata bizdeydi: Sitede bir sorun oluştu.",
        },
        "Rules broken": {
            "en": "The rules of the tournament were broken.",
            "ru": "Нарушены правила турнира.",
            "tr": "Turnuva kuralları ihlal edildi.",
        },
    },
    "SANCTION": {
        "Insults": {
            "en": "Insults are against the rules of the site.",
            "ru": "Оскорбления запрещены правилами сайта.",
            "tr": "Hakaret etmek site kurallarına aykırı.",
        },
        "Advertising": {
            "en": "Advertising is against the rules of the site.",
            "ru": "Реклама запрещена правилами сайта.",
            "tr": "Reklam yapmak site kurallarına aykırı.",
        },
        "Unfit picture": {
            "en": "The picture is against the rules of the site.",
            "ru": "Картинка нарушает правила сайта.",
            "tr": "Resim site kurallarına aykırı.",
        },
    },
    "APPEAL": {
        "It stands": {
            "en": "We looked at it again: the decision stands.",
            "ru": "Мы проверили ещё раз: решение остаётся в силе.",
            "tr": "Yeniden inceledik: Karar değişmedi.",
        },
        "We were wrong": {
            "en": "You are right, we made a mistake.",
            "ru": "Вы правы, мы ошиблись.",
            "tr": "Haklısınız, hata yaptık.",
        },
    },
    "CASE": {
        "Two accounts": {
            "en": "Two accounts of one person played each other for credits.",
            "ru": "Два аккаунта одного человека играли друг с другом на кредиты.",
            "tr": "Aynı kişinin iki hesabı birbirine karşı kredili oynadı.",
        },
        "Help of a program": {
            "en": "A program chose the moves.",
            "ru": "Ходы подсказывала программа.",
            "tr": "Hamleleri bir program seçti.",
        },
        "Lost on purpose": {
            "en": "Matches were lost on purpose.",
            "ru": "Матчи проигрывались намеренно.",
            "tr": "Maçlar bilerek kaybedildi.",
        },
    },
}


def write(apps, schema_editor):
    reason = apps.get_model("accounts", "ReadyReason")
    reason.objects.bulk_create(
        reason(occasion=occasion, name=name, language=language, text=text)
        for occasion, reasons in REASONS.items()
        for name, texts in reasons.items()
        for language, text in texts.items()
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0036_acceptance"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReadyReason",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "occasion",
                    models.CharField(
                        choices=[
                            ("VOID", "Voiding a match or tournament"),
                            ("REFUND", "A refund of a purchase or payment"),
                            ("RESULT", "Deciding a result"),
                            ("SANCTION", "A chat ban or a removed picture"),
                            ("APPEAL", "Answering an appeal"),
                            ("CASE", "Closing a fair play case, or a refund in it"),
                        ],
                        max_length=8,
                        verbose_name="occasion",
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "language",
                    models.CharField(
                        choices=accounts.models.language.languages,
                        max_length=10,
                        verbose_name="language",
                    ),
                ),
                ("text", models.CharField(max_length=90, verbose_name="text")),
            ],
            options={
                "verbose_name": "ready reason",
                "verbose_name_plural": "ready reasons",
                "ordering": ["occasion", "name", "language"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("occasion", "name", "language"), name="accounts_readyreason_once"
                    )
                ],
            },
        ),
        migrations.RunPython(write, migrations.RunPython.noop),
    ]
