"""Every failure Moot can name.

    MootError                        exit 1
    ├── UsageError                   exit 2: the call was wrong and nothing was spent
    │   ├── EmptyQuestion
    │   ├── UnknownProtocol
    │   ├── PluginBroken
    │   ├── BadReference
    │   ├── PluginClash
    │   ├── BadSetting
    │   ├── BadMember
    │   ├── KeyMissing
    │   ├── ForbiddenByLocal
    │   ├── PriceUnknown
    │   ├── TooFewMembers
    │   ├── DocumentUnreadable
    │   ├── DocumentsTooLong
    │   ├── BadDataFile
    │   ├── ExtraMissing
    │   ├── BadAxioms
    │   ├── BadConfiguration
    │   ├── ServerAlreadyThere
    │   ├── BadEvaluation
    │   └── NotFound
    ├── ModelFileError               the weights of an embedded model
    │   ├── FetchFailed
    │   ├── WrongDigest
    │   └── EmbeddedFailed
    ├── StoreError
    │   ├── DatabaseUnusable
    │   ├── DiskFull
    │   ├── AlreadyRunning
    │   ├── Fenced
    │   └── RunStopped
    ├── RecordError                  a stored run and today's code or settings do not fit together
    │   ├── ProtocolNotInstalled
    │   ├── ProtocolVersionChanged
    │   ├── DataChanged
    │   ├── PluginChanged
    │   ├── JournalMismatch
    │   ├── ReplyMissing
    │   ├── RecordDiffers
    │   ├── ForkChangesHistory
    │   ├── AlreadyEnded
    │   ├── NotEnded
    │   ├── NothingRefused
    │   ├── WorkersDied
    │   └── RunBroke
    ├── StepError                    an open step that cannot be taken, submitted or released
    │   ├── StepGone
    │   ├── OneAnswerPerAgent
    │   ├── NotYourStep
    │   ├── LeaseExpired
    │   ├── ReviewOfOwnWork
    │   ├── BadAgentName
    │   └── BadSubmission
    ├── RequestError                 a server refuses before it looks at the matter
    │   ├── KeyRequired
    │   ├── WrongKey
    │   ├── SignedOut
    │   ├── TwoCredentials
    │   ├── LinkGone
    │   ├── MissingScope
    │   ├── NotYours
    │   ├── TooManyRequests
    │   ├── BodyTooLarge
    │   ├── HeadersTooLarge
    │   ├── BadBody
    │   ├── ForeignHost
    │   ├── ForeignOrigin
    │   ├── IdempotencyMismatch
    │   ├── StillUnderWay
    │   ├── ShownOnce
    │   ├── ServerBusy
    │   ├── MemberNotAllowed
    │   ├── OverBudget
    │   ├── UsedUp
    │   ├── DayUsedUp
    │   ├── NoSlots
    │   ├── BadParameter
    │   ├── BadContent
    │   ├── NoSuchModel
    │   └── NoAnswer
    ├── ServerError                  a Moot server, as a client of it meets it
    │   ├── ServerUnreachable
    │   └── ServerRefused
    ├── NotConfirmed                 the user was asked and did not say yes
    └── Interrupted                  exit 130

Edges translate a `MootError` once: the command line by `exit_code`, others by `code`. A member that
answers badly, late or not at all is no error: it is `core.calls.Missing`, a value.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from moot.core.installation import UNNAMED, Installation, install_command, this_installation
from moot.core.near_names import did_you_mean


class MootError(Exception):
    """A failure with a name; its message says what to do next."""

    code: ClassVar[str] = "moot_error"
    exit_code: ClassVar[int] = 1


class UsageError(MootError):
    """The call was wrong; nothing was spent and nothing was changed."""

    code = "usage"
    exit_code = 2


class EmptyQuestion(UsageError):
    """There was nothing to ask."""

    code = "empty_question"

    def __init__(self) -> None:
        super().__init__('the question is empty; write it after the command, as in `moot ask "Why …?"`, or pipe it in.')


class UnknownProtocol(UsageError):
    """No protocol has this name."""

    code = "unknown_protocol"

    def __init__(self, *, name: str, known: Iterable[str]) -> None:
        there = sorted(known)
        super().__init__(
            f"there is no protocol {name!r}; {did_you_mean(name, there)}Moot has {', '.join(there)} (`moot protocols`)."
        )


class PluginBroken(UsageError):
    """Something that another package brings cannot be used."""

    code = "plugin_broken"

    def __init__(self, *, what: str, name: str, origin: str, problem: str) -> None:
        super().__init__(
            f"the {what} {name!r} of {origin} cannot be used: {problem.rstrip('.')}; mend that package or remove it. "
            "Nothing else is affected."
        )
        self.name = name
        self.origin = origin
        self.problem = problem


class BadReference(UsageError):
    """A file or an object of a module was named, and brings nothing that can be used."""

    code = "bad_reference"

    def __init__(self, *, what: str, reference: str, problem: str) -> None:
        super().__init__(
            f"{reference} brings no {what}: {problem.rstrip('.')}; name a file of Python that holds one, FILE.py:NAME "
            "or package.module:NAME."
        )
        self.problem = problem


class PluginClash(UsageError):
    """Several packages bring something under one name."""

    code = "plugin_clash"

    def __init__(self, *, what: str, name: str, origins: Sequence[str]) -> None:
        super().__init__(f"a {what} {name!r} is brought by {' and by '.join(origins)}; remove all but one of them.")
        self.origins = tuple(origins)


class BadSetting(UsageError):
    """A setting that does not exist, or a value it cannot take."""

    code = "bad_setting"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"setting {name!r}: {problem}.")
        self.name = name
        self.problem = problem


class BadMember(UsageError):
    """A string that names no member."""

    code = "bad_member"

    def __init__(self, *, spec: str, problem: str) -> None:
        super().__init__(f"member {spec!r}: {problem}.")


class KeyMissing(UsageError):
    """A provider needs a key that the environment does not hold."""

    code = "key_missing"

    def __init__(self, *, spec: str, variable: str) -> None:
        super().__init__(f"member {spec!r} needs a key: set {variable} in the environment, or use `--member embedded`.")
        self.variable = variable


class ForbiddenByLocal(UsageError):
    """`--local` was given together with something that leaves the machine."""

    code = "forbidden_by_local"

    def __init__(self, *, what: str) -> None:
        super().__init__(f"{what} leaves this machine and --local forbids it; drop one of the two.")


class PriceUnknown(UsageError):
    """A dollar budget cannot be kept, because nobody knows what a call costs."""

    code = "price_unknown"

    def __init__(self, *, model: str) -> None:
        super().__init__(
            f"the price of {model!r} is not known, so --budget-usd cannot be kept; "
            f"give it with --price {model}=IN,OUT (dollars per million tokens), or limit with --budget-calls."
        )
        self.model = model


class TooFewMembers(UsageError):
    """The protocol needs more members than the panel has."""

    code = "too_few_members"

    def __init__(self, *, protocol: str, needed: int, given: int) -> None:
        super().__init__(
            f"{protocol} needs at least {needed} members and got {given}; "
            f"add --member, or seat one several times: SPEC*{needed}."
        )


class DocumentUnreadable(UsageError):
    """A document that is absent, binary, too large, or of a kind nobody can read."""

    code = "document_unreadable"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"document {name!r}: {problem}.")
        self.problem = problem


class DocumentsTooLong(UsageError):
    """Question and documents do not fit a member's context (ruling G7)."""

    code = "documents_too_long"

    def __init__(self, *, member: str, tokens: int, limit: int, largest: str) -> None:
        super().__init__(
            f"the prompt is about {tokens} tokens and member {member!r} takes {limit}; the largest document is "
            f"{largest}; shorten it, choose a member with more context, or select passages with --set passages=N "
            f"where the protocol has it."
        )


class BadDataFile(UsageError):
    """A file that a setting names does not say what it should."""

    code = "bad_data_file"

    def __init__(self, *, file: str, line: int | None = None, problem: str) -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {problem}.")
        self.file = file
        self.line = line


class ExtraMissing(UsageError):
    """A part of Moot that is installed by an extra is not there."""

    code = "extra_missing"

    def __init__(self, *, what: str, extra: str, installation: Installation | None = None) -> None:
        command = install_command(installation or this_installation(), f"moot[{extra}]")
        which = f"; `moot doctor` says which {UNNAMED} it is" if UNNAMED in command else ""
        super().__init__(f"{what} needs `{command}`{which}.")
        self.extra = extra


class BadAxioms(UsageError):
    """Files of axioms that cannot be used; each problem names its file and its axiom."""

    code = "bad_axioms"

    def __init__(self, *, problems: Sequence[str]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{problems[0]}{more}; `moot axioms check` lists every problem.")
        self.problems = tuple(problems)


class BadConfiguration(UsageError):
    """A moot.toml that cannot be used; each problem names its file, what in it is wrong, and the way out."""

    code = "bad_configuration"

    def __init__(self, *, problems: Sequence[str]) -> None:
        more = f" (and {len(problems) - 1} more: `moot config` lists them)" if len(problems) > 1 else ""
        super().__init__(f"{problems[0]}{more}.")
        self.problems = tuple(problems)


class BadEvaluation(UsageError):
    """The stored results of an evaluation cannot be shown."""

    code = "bad_evaluation"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"the evaluation {name!r} cannot be shown: {problem.rstrip('.;')}; put its folder right or take it away."
        )


class NotFound(UsageError):
    """Something was named that does not exist."""

    code = "not_found"

    def __init__(self, *, what: str, name: str, see: str) -> None:
        super().__init__(f"there is no {what} {name!r}; {see}.")


class ModelFileError(MootError):
    """The weights of an embedded model could not be had or used."""

    code = "model_file"


class FetchFailed(ModelFileError):
    """No source gave the weights."""

    code = "fetch_failed"

    def __init__(self, *, model: str, tried: Iterable[str]) -> None:
        super().__init__(
            f"the weights of {model!r} could not be fetched ({'; '.join(tried)}); run `moot models pull {model}` again "
            f"to go on where it stopped, or name a file: `moot models pull {model} --file PATH`."
        )


class WrongDigest(ModelFileError):
    """A fetched file is not the file the catalogue names; it was deleted."""

    code = "wrong_digest"

    def __init__(self, *, model: str, expected: str, found: str) -> None:
        super().__init__(
            f"the file for {model!r} has sha256 {found[:12]}… and should have {expected[:12]}…; "
            f"it was not kept. Try `moot models pull {model}` again."
        )


class EmbeddedFailed(ModelFileError):
    """The embedded model did not start."""

    code = "embedded_failed"

    def __init__(self, *, model: str, problem: str) -> None:
        super().__init__(f"embedded model {model!r}: {problem}.")


class StoreError(MootError):
    """The database."""

    code = "store"


class ServerAlreadyThere(UsageError):
    """Another server is at the same SQLite file."""

    code = "server_already_there"

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"another `moot serve` is at the database {where}; end it, give this one a folder of its own by MOOT_HOME, "
            "or let several servers share PostgreSQL by MOOT_DATABASE."
        )


class DatabaseUnusable(StoreError):
    """A database that is damaged, unreachable, or made by a newer Moot."""

    code = "database_unusable"

    def __init__(self, *, where: str, problem: str) -> None:
        super().__init__(f"database {where}: {problem}.")


class DiskFull(StoreError):
    """There was no room for a write; what was written before it is safe."""

    code = "disk_full"

    def __init__(self, *, where: str, go_on: str = "moot resume") -> None:
        super().__init__(f"no space left for {where}; free some and go on with `{go_on}`. Nothing written is lost.")


class AlreadyRunning(StoreError):
    """Another live process holds the lock of this deliberation."""

    code = "already_running"

    def __init__(self, *, deliberation: str) -> None:
        super().__init__(
            f"deliberation {deliberation} is running in another process; "
            f"`moot show {deliberation}` shows how far it is."
        )


class Fenced(StoreError):
    """Another process has taken this deliberation over; this one must stop sending."""

    code = "fenced"

    def __init__(self, *, deliberation: str) -> None:
        super().__init__(f"another process has taken over deliberation {deliberation}; this one has stopped.")


class RecordError(MootError):
    """A stored run does not fit today's code or settings."""

    code = "record"


class ProtocolNotInstalled(RecordError):
    """The stored run was made by a protocol that is not here."""

    code = "protocol_not_installed"

    def __init__(self, *, deliberation: str, protocol: str, origin: str = "") -> None:
        """`origin` is what brought it, as the record has it; empty where the record says nothing of that."""
        name = f"{protocol} of {origin}" if origin else protocol
        super().__init__(
            f"deliberation {deliberation} was made by the protocol {name}, which is not installed here; to go on with "
            f"it, install what brings it, or name its file with --protocol. `moot show {deliberation}` and "
            f"`moot export {deliberation}` do without."
        )
        self.protocol = protocol
        self.origin = origin


class ProtocolVersionChanged(RecordError):
    """The stored run was made by another version of its protocol."""

    code = "protocol_version_changed"

    def __init__(self, *, protocol: str, stored: int, current: int) -> None:
        super().__init__(
            f"this run used {protocol} {stored}, Moot now has {current}; `moot fork` starts anew from any step."
        )
        self.stored = stored
        self.current = current


class DataChanged(RecordError):
    """The stored run was made from other data files than Moot now has."""

    code = "data_changed"

    def __init__(self, *, names: Iterable[str]) -> None:
        super().__init__(
            f"this run read other versions of {', '.join(sorted(names))} than Moot now has; `moot fork` starts anew "
            f"from any step."
        )


class PluginChanged(RecordError):
    """The stored run was made with a plugin that is not here, or is here in another version."""

    code = "plugin_changed"

    def __init__(self, *, what: str, stored: str, current: str) -> None:
        here = f"here it is {current}" if current else "it is not here"
        super().__init__(
            f"this run used {what} of {stored}, and {here}; install {stored} to go on, or `moot fork` starts anew from "
            "any step."
        )
        self.stored = stored
        self.current = current


class JournalMismatch(RecordError):
    """A step was journaled for another request than the one the code now makes."""

    code = "journal_mismatch"

    def __init__(self, *, step: str, problem: str) -> None:
        super().__init__(
            f"step {step!r} was journaled by other code: {problem}; `moot fork ID --at {step}` asks it anew."
        )
        self.step = step


class ReplyMissing(RecordError):
    """A replay came to a step that was never answered."""

    code = "reply_missing"

    def __init__(self, *, step: str) -> None:
        super().__init__(f"the record holds no reply for step {step!r}; `moot resume` asks it, a replay never does.")
        self.step = step


class RecordDiffers(RecordError):
    """The events made now are not the events that were stored."""

    code = "record_differs"

    def __init__(self, *, seq: int, stored: str, made: str) -> None:
        super().__init__(f"event {seq} differs from the stored one: stored {stored}, made {made}.")
        self.seq = seq


class ForkChangesHistory(RecordError):
    """A changed setting or member reaches back before the step of the fork."""

    code = "fork_changes_history"

    def __init__(self, *, step: str, at: str, position: int) -> None:
        super().__init__(
            f"the new settings change step {step!r}, which comes before {at!r}; "
            f"fork at {step!r} or earlier, or leave them as they were."
        )
        self.step = step
        self.position = position


class AlreadyEnded(RecordError):
    """A run that has ended cannot be resumed."""

    code = "already_ended"

    def __init__(self, *, deliberation: str, status: str) -> None:
        way_on = (
            f"`moot resume {deliberation} --budget-calls N` (or -tokens, -usd, -seconds) goes on with a larger budget"
            if status == "exhausted"
            else "`moot fork` goes another way from one of its steps"
        )
        super().__init__(
            f"deliberation {deliberation} has ended ({status}); `moot show {deliberation}` shows it, {way_on}."
        )


class NothingRefused(RecordError):
    """A larger budget is given to a deliberation that its budget did not end."""

    code = "nothing_refused"

    def __init__(self, *, deliberation: str) -> None:
        super().__init__(
            f"the budget of deliberation {deliberation} refused it nothing, so a larger one changes nothing; "
            f"`moot fork {deliberation} --at STEP` goes another way from a step."
        )


class NotEnded(RecordError):
    """What only a deliberation has that has ended is asked of one that goes on."""

    code = "not_ended"

    def __init__(self, *, deliberation: str, what: str) -> None:
        super().__init__(f"{what} {deliberation} has not ended, and is sealed when it has; look again then.")


class RunBroke(RecordError):
    """A run came upon something that nobody had foreseen; its record is as it was before."""

    code = "run_broke"

    def __init__(self, *, deliberation: str, kind: str) -> None:
        super().__init__(
            f"deliberation {deliberation} broke off on a fault of Moot's own ({kind}), and the log says where; "
            f"`moot resume {deliberation}` tries again, `moot fork` goes another way."
        )


class WorkersDied(RecordError):
    """Servers or workers have died at a run too often for another to be put at it."""

    code = "workers_died"

    def __init__(self, *, deliberation: str, times: int) -> None:
        super().__init__(
            f"deliberation {deliberation} had what runs it die {times} times, and is left alone since it may be what "
            f"kills it; see the logs of servers and workers, and `moot resume {deliberation}` tries again."
        )


class RunStopped(StoreError):
    """A run lacked something of the machine, such as descriptors or a connection; nothing journaled is lost."""

    code = "run_stopped"

    def __init__(self, *, deliberation: str, lack: str) -> None:
        super().__init__(
            f"deliberation {deliberation} stopped ({lack}); the server goes on with it by itself, "
            f"and so does `moot resume {deliberation}`. Nothing journaled is lost."
        )


class StepError(MootError):
    """An open step that cannot be taken, submitted or released."""

    code = "step"


class StepGone(StepError):
    """Somebody else has the step, or it is done."""

    code = "step_gone"

    def __init__(self, *, step: str, state: str) -> None:
        super().__init__(f"step {step!r} is {state}; look for another open one.")


class OneAnswerPerAgent(StepError):
    """The agent has already taken a step of this group."""

    code = "one_answer_per_agent"

    def __init__(self, *, agent: str, group: str, step: str) -> None:
        super().__init__(f"agent {agent!r} already has a step in {group!r}, and each agent may have one: {step!r}.")
        self.step = step


class NotYourStep(StepError):
    """The step is held by another agent, or by nobody."""

    code = "not_your_step"

    def __init__(self, *, step: str, agent: str) -> None:
        super().__init__(f"step {step!r} is not held by {agent!r}; take it first.")


class LeaseExpired(StepError):
    """The agent held the step too long, and it is open again."""

    code = "lease_expired"

    def __init__(self, *, step: str) -> None:
        super().__init__(f"the lease on step {step!r} has run out and it is open again; take it again.")


class ReviewOfOwnWork(StepError):
    """Whoever filled a slot of an attempt does not clear its flag (ruling P12)."""

    code = "review_of_own_work"

    def __init__(self, *, reviewer: str, step: str, others: Sequence[str]) -> None:
        super().__init__(
            f"{reviewer[:100]!r} filled a slot of the attempt that {step!r} judges; "
            f"somebody else clears it, such as {others[0][:100]!r}."
        )


class BadAgentName(StepError):
    """A name under which nobody may fill open steps."""

    code = "bad_agent_name"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"{name[:40]!r} cannot be an agent's name: {problem}; choose another.")


class BadSubmission(StepError):
    """What was submitted does not have the shape that the step asks for; the step stays taken."""

    code = "bad_submission"

    def __init__(self, *, step: str, problems: Sequence[tuple[str, str]]) -> None:
        said = "; ".join(f"{field}: {problem}" for field, problem in problems)
        super().__init__(f"the submission for step {step!r} was refused: {said}; mend it and submit it again.")
        self.problems = tuple(problems)


class RequestError(MootError):
    """A server refuses a request before it looks at the matter."""

    code = "request"


class KeyRequired(RequestError):
    """The request brought no key."""

    code = "key_required"

    def __init__(self) -> None:
        super().__init__(
            "this needs a key; send it as `Authorization: Bearer KEY`. Whoever runs this server makes one."
        )


class WrongKey(RequestError):
    """The key is malformed, unknown or revoked; which of them is not said."""

    code = "wrong_key"

    def __init__(self) -> None:
        super().__init__(
            "this key opens nothing here; check that it was copied whole, or ask whoever runs this server for another."
        )


class SignedOut(RequestError):
    """The session of a browser is over."""

    code = "signed_out"

    def __init__(self) -> None:
        super().__init__("you are signed out; sign in again at /in.")


class TwoCredentials(RequestError):
    """The request brought a key and a session, and they may be two people's."""

    code = "two_credentials"

    def __init__(self) -> None:
        super().__init__("this request came with a key and with a browser's session; send one of them.")


class LinkGone(RequestError):
    """A one-time link opens nothing any more."""

    code = "link_gone"

    def __init__(self, *, problem: str) -> None:
        super().__init__(f"{problem}; start `moot serve --open` again for a new one, or sign in with a key.")


class MissingScope(RequestError):
    """The key is good, and does not reach this far."""

    code = "missing_scope"

    def __init__(self, *, needed: Sequence[str], has: Sequence[str]) -> None:
        super().__init__(
            f"this needs a key with the scope {' or '.join(needed)}, and yours has {', '.join(has) or 'none'}; "
            "ask whoever runs this server for another."
        )
        self.needed = tuple(needed)
        self.has = tuple(has)


class NotYours(RequestError):
    """Something that this key may not read."""

    code = "not_yours"

    def __init__(self, *, what: str, name: str, instead: str = "") -> None:
        super().__init__(
            f"{what} {name[:100]!r} is not open to this key; "
            f"{instead and f'{instead}, '}use the key that began it, or one with the scope reviewer."
        )


class TooManyRequests(RequestError):
    """The key has used up its rate."""

    code = "too_many_requests"

    def __init__(self, *, retry_after: float) -> None:
        super().__init__(f"too many requests with this key; try again in {retry_after:.3g} s.")
        self.retry_after = retry_after


class BodyTooLarge(RequestError):
    """The body of the request is larger than the server takes."""

    code = "body_too_large"

    def __init__(self, *, limit: int) -> None:
        super().__init__(
            f"the body is larger than {limit} bytes; send less, or have the server's MOOT_SERVE_BODY raised."
        )
        self.limit = limit


class HeadersTooLarge(RequestError):
    """The headers of the request are more, or longer, than the server takes."""

    code = "headers_too_large"

    def __init__(self, *, most: int, size: int) -> None:
        super().__init__(f"a request has at most {most} headers and {size} bytes of them; send fewer.")
        self.most = most
        self.size = size


class BadBody(RequestError):
    """The request is not one that anybody could look at."""

    code = "bad_body"

    def __init__(self, *, problem: str) -> None:
        super().__init__(f"the request cannot be used: {problem}; put that right and send it again.")


class ForeignHost(RequestError):
    """The request names a host that this server is not."""

    code = "foreign_host"

    def __init__(self, *, host: str) -> None:
        super().__init__(
            f"this server is not {host[:100]!r}; call it by the address that it printed, or add the name to its "
            f"MOOT_SERVE_HOSTS."
        )


class ForeignOrigin(RequestError):
    """A page of another site sends the request."""

    code = "foreign_origin"

    def __init__(self, *, origin: str) -> None:
        super().__init__(
            f"pages of {origin[:100]!r} may not use this server; call it from a program, or add the page's host to "
            f"its MOOT_SERVE_HOSTS."
        )


class IdempotencyMismatch(RequestError):
    """An idempotency key came back with another request."""

    code = "idempotency_mismatch"

    def __init__(self, *, key: str) -> None:
        super().__init__(
            f"the idempotency key {key[:100]!r} belongs to another request; repeat that one unchanged, or send this "
            f"one with a new key."
        )


class StillUnderWay(RequestError):
    """The same request is being answered at this moment."""

    code = "still_under_way"

    def __init__(self, *, key: str, retry_after: float) -> None:
        super().__init__(
            f"the request with the idempotency key {key[:100]!r} is being answered; repeat it in {retry_after:.3g} s "
            f"to get its answer."
        )
        self.retry_after = retry_after


class ShownOnce(RequestError):
    """A key was made by this request before, and can be shown no second time."""

    code = "shown_once"

    def __init__(self, *, prefix: str) -> None:
        super().__init__(
            f"this request has made the key {prefix}… already, and a key is shown once; if it was lost, "
            f"`moot keys revoke {prefix}` and make another under a new name and idempotency key."
        )
        self.prefix = prefix


class ServerBusy(RequestError):
    """The server takes nothing more for now; the problem says why."""

    code = "server_busy"

    def __init__(self, *, problem: str, retry_after: float) -> None:
        super().__init__(f"{problem}; try again in {retry_after:.3g} s.")
        self.retry_after = retry_after


class MemberNotAllowed(RequestError):
    """A caller named a member that the server does not offer."""

    code = "member_not_allowed"

    def __init__(self, *, spec: str, allowed: Sequence[str]) -> None:
        offer = f"choose among {', '.join(allowed)}" if allowed else "leave members out and the server chooses"
        super().__init__(f"member {spec[:100]!r} is not offered here; {offer} (the server's MOOT_SERVE_MEMBERS).")
        self.allowed = tuple(allowed)


class OverBudget(RequestError):
    """A caller asks for more than the server lets one have."""

    code = "over_budget"

    def __init__(self, *, what: str, asked: float, most: float) -> None:
        super().__init__(
            f"{asked:g} {what} are more than the {most:g} that this server allows; ask for less, or leave it out."
        )
        self.what = what
        self.most = most


class UsedUp(RequestError):
    """A deliberation and its forks have taken, or may still take, all that the limits give them together."""

    code = "used_up"

    def __init__(self, *, what: str, most: float) -> None:
        super().__init__(
            f"a deliberation and its forks may take {most:g} {what} together, and these have taken that or may still "
            "take it; cancel one that goes on, fork from where this one stands, or put the question anew."
        )
        self.what = what
        self.most = most


class DayUsedUp(RequestError):
    """The key has spent what it may spend in a day; nothing more is sent for it today."""

    code = "day_used_up"

    def __init__(self, *, what: str, used: float, wanted: float, most: float, retry_after: float) -> None:
        more = f", and this may take {wanted:.4g}" if wanted else ""
        super().__init__(
            f"this key has taken {used:.4g} of its {most:g} {what} of today{more}; the day is over in "
            f"{retry_after / 3600:.1f} hours (midnight UTC), or MOOT_SERVE_DAY_CALLS and MOOT_SERVE_DAY_USD say more."
        )
        self.retry_after = retry_after


class NoSlots(RequestError):
    """No slot is open that this agent may take."""

    code = "no_slots"

    def __init__(self, *, agent: str) -> None:
        super().__init__(f"no slot is open that {agent[:100]!r} may take; look again later, or ask for less by name.")
        self.retry_after = 2.0


class BadParameter(RequestError):
    """A chat asks for something that a deliberation cannot give."""

    code = "unsupported_parameter"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"{name[:100]}: {problem}; put that right, or leave it out.")
        self.name = name[:100]


class BadContent(RequestError):
    """What a chat has to hold, such as its messages, is not what it should be."""

    code = "invalid_value"

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(f"{name[:100]}: {problem}.")
        self.name = name[:100]


class NoSuchModel(RequestError):
    """A chat names a model that this server does not offer."""

    code = "model_not_found"

    def __init__(self, *, name: str, near: str) -> None:
        super().__init__(f"there is no model {name[:100]!r}; {near}GET /v1/models lists what this server offers.")
        self.name = "model"


class NoAnswer(RequestError):
    """A chat's deliberation came to no answer."""

    code = "no_answer"

    def __init__(self, *, deliberation: str, status: str, reason: str) -> None:
        super().__init__(
            f"deliberation {deliberation} came to no answer ({status}: {reason[:500] or 'no reason is known'}); "
            f"`moot show {deliberation}` and the page /d/{deliberation} have its record."
        )
        self.deliberation = deliberation


class ServerError(MootError):
    """A Moot server did not do what it was asked to."""

    code = "server"


class ServerUnreachable(ServerError):
    """Nobody answers at the server's address."""

    code = "server_unreachable"

    def __init__(self, *, url: str, problem: str) -> None:
        super().__init__(f"nobody answers at {url} ({problem}); start `moot serve` there, or check the address.")


class ServerRefused(ServerError):
    """The server says no; `problem` is the code that it gives, and the message is what it says of it."""

    code = "server_refused"

    def __init__(self, *, problem: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = problem


class NotConfirmed(MootError):
    """What cannot be undone was not done, because nobody said yes to it."""

    code = "not_confirmed"

    def __init__(self, *, what: str, without_asking: str) -> None:
        super().__init__(f"{what}; `{without_asking}` does not ask.")


class Interrupted(MootError):
    """The user stopped a command; what it had journaled is kept."""

    code = "interrupted"
    exit_code = 130

    def __init__(self, *, go_on: str | None = None) -> None:
        how = f" Go on with: {go_on}" if go_on else ""
        super().__init__(f"stopped; nothing more is spent.{how}")
        self.go_on = go_on
