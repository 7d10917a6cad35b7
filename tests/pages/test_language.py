"""The language of pages: another one has no English readability."""

import pytest

from pipeline.pages.cleanse import clean
from pipeline.pages.cleanse.page import languages

GERMAN = (
    "<p>Asthma ist eine Krankheit der Lunge, bei der sich die Atemwege verengen und das Atmen "
    "schwer wird. Viele Menschen haben es schon als Kinder und leben lange damit. Ein Arzt kann "
    "ein Spray verschreiben, das die Atemwege wieder weit macht und den Husten lindert.</p>"
)
ENGLISH = (
    "<p>Asthma is a disease of the lungs in which the airways become narrow and breathing gets "
    "hard. Many people have had it since they were children and live with it for a long time. A "
    "doctor can prescribe a spray that opens the airways again and soothes the cough.</p>"
)
MEDICAL = (
    "<p>The pathophysiological hallmark of the condition is chronic eosinophilic inflammation of "
    "the bronchial epithelium, accompanied by reversible bronchoconstriction and mucosal oedema. "
    "Pharmacological intervention comprises inhaled corticosteroids, bronchodilators and, in "
    "refractory presentations, monoclonal antibodies.</p>"
)


@pytest.mark.parametrize(
    ("page", "language", "reason"),
    [
        (GERMAN * 2, "en", "language"),
        (GERMAN * 2, "de", ""),
        (GERMAN * 2, None, ""),
        (ENGLISH * 2, "en", ""),
        (ENGLISH * 2, "de", "language"),
        (MEDICAL * 2, "en", ""),
        ("<p>Zu kurz, um es zu sagen.</p>", "en", ""),
    ],
)
def test_a_page_in_another_language(page: str, language: str | None, reason: str) -> None:
    text, found = clean(page.encode(), language=language)
    assert text  # which a search may still want
    assert found == reason


def test_english_is_languages() -> None:
    assert {"en", "de", "zh"} <= languages()
