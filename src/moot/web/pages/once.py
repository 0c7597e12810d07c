"""A form that is sent twice is done once, by whatever it was sent again: a second click, a reload, the way back."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from moot.web.access import Caller
from moot.web.pages.forms import SentForm
from moot.web.serving import Serving


async def do_once(serving: Serving, caller: Caller, form: SentForm, work: Callable[[], Awaitable[object]]) -> None:
    """Do what a form asks for, unless the caller has sent the same one before; what fails may be sent again."""
    if not form.once:
        await work()
        return
    callers, name = serving.store.callers, f"page {form.once}"
    if await callers.begin_request(caller.prefix, name, "", serving.clock.now()) is not None:
        return
    try:
        await work()
    except BaseException:
        await callers.drop_request(caller.prefix, name)
        raise
    await callers.end_request(caller.prefix, name, HTTPStatus.SEE_OTHER, {}, b"")
