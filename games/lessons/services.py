"""Keep results of the lessons in a member's account."""

from accounts.people.locks import lock_unclosed
from accounts.shared.transactions import write_transaction
from games.engine.rules import Variant
from games.lessons.stars import Result, Results, best_of
from games.models import LessonResult


def kept_results(user_id: int, variant: Variant) -> Results:
    rows = LessonResult.objects.filter(user_id=user_id, variant=variant)
    return {row.exercise: Result(row.stars, row.tries) for row in rows}


def forget(user_id: int) -> None:
    with write_transaction():
        LessonResult.objects.filter(user_id=user_id).delete()


def keep(user_id: int, variant: Variant, results: Results) -> None:
    """Save the results; a saved result that is better than a new one stays.

    Do nothing for a closed account.
    """
    with write_transaction():
        if not lock_unclosed(user_id):
            return
        LessonResult.objects.bulk_create(
            [
                LessonResult(
                    user_id=user_id,
                    variant=variant,
                    exercise=key,
                    stars=result.stars,
                    tries=result.tries,
                )
                for key, result in best_of(kept_results(user_id, variant), results).items()
                if key in results
            ],
            update_conflicts=True,
            unique_fields=["user", "variant", "exercise"],
            update_fields=["stars", "tries"],
        )
