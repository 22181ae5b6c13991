"""menud's answers from FastAPI: a hundred commands, each validated by two functions of the session's
state, written by hand.

    validate.py default SESSION.JSON PORT    dictionaries are returned, FastAPI makes the response
    validate.py orjson SESSION.JSON PORT     orjson makes it

On 127.0.0.1 with uvloop and httptools, one process, until SIGTERM.
"""

import copy
import json
import sys

import orjson
import uvicorn
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel

ENCODING, SESSION_FILE, PORT = sys.argv[1:]
with open(SESSION_FILE) as file:
    TEMPLATE = json.load(file)["state"]

app = FastAPI(openapi_url=None)
sessions = {}


class Command:
    def __init__(self, number):
        group, choice = f"group{number // 10}", number % 10
        self.id = f"command{number}:"
        self.title = f"Command {number}"
        self.is_enabled = lambda state: state[group]["count"] > 0
        self.is_checked = lambda state: state[group]["choice"] == choice


COMMANDS = [Command(number) for number in range(100)]
COMMANDS_BY_ID = {command.id: command for command in COMMANDS}


class Validation(BaseModel):
    session: str
    commands: list[str] | None = None


class Opening(BaseModel):
    id: str


def encoded(answer):
    if ENCODING == "default":
        return answer
    return Response(orjson.dumps(answer), media_type="application/json")


def item(command, state):
    enabled = command.is_enabled(state)
    return {
        "command": command.id,
        "title": command.title,
        "enabled": enabled,
        "state": "on" if command.is_checked(state) else "off",
        "attributes": [] if enabled else ["disabled"],
        "target": "groups",
        "reason": "enabled" if enabled else "ruleFalse",
    }


@app.post("/commands/validate")
async def validate(validation: Validation):
    session = sessions[validation.session]
    if validation.commands is None:
        asked = COMMANDS
    else:
        asked = [COMMANDS_BY_ID[id] for id in validation.commands]
    return encoded(
        {
            "session": validation.session,
            "revision": session["revision"],
            "catalogRevision": 0,
            "items": [item(command, session["state"]) for command in asked],
        }
    )


@app.post("/sessions", status_code=201)
async def open_session(opening: Opening):
    sessions[opening.id] = {"revision": 0, "state": copy.deepcopy(TEMPLATE)}
    return {"session": opening.id, "revision": 0}


def merge(target, patch):
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        elif isinstance(value, dict):
            merge(target.setdefault(name, {}), value)
        else:
            target[name] = value


# The body is read by hand since its content type is not FastAPI's.
@app.patch("/sessions/{id}/state")
async def patch_state(id: str, request: Request):
    session, patch = sessions[id], orjson.loads(await request.body())
    merge(session["state"], patch)
    session["revision"] += 1
    change = {"change": "mergedState", "patch": patch}
    return encoded({"session": id, "revision": session["revision"], "changes": [change]})


@app.get("/health")
async def health():
    return {"status": "ok"}


uvicorn.run(
    app, host="127.0.0.1", port=int(PORT), loop="uvloop", http="httptools", access_log=False,
    log_level="error",
)
