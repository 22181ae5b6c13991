// menud's answers from Node's own http server: a hundred commands, each validated by two functions of
// the session's state, written by hand.
//
//   node validate.mjs SESSION.JSON PORT      on 127.0.0.1, until SIGTERM
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [sessionFile, port] = process.argv.slice(2);
const template = JSON.parse(readFileSync(sessionFile, "utf8")).state;
const sessions = new Map();

const commands = Array.from({ length: 100 }, (_, number) => {
  const group = `group${Math.floor(number / 10)}`;
  const choice = number % 10;
  return {
    id: `command${number}:`,
    title: `Command ${number}`,
    isEnabled: (state) => state[group].count > 0,
    isChecked: (state) => state[group].choice === choice,
  };
});
const commandsById = new Map(commands.map((command) => [command.id, command]));

function item(command, state) {
  const enabled = command.isEnabled(state);
  return {
    command: command.id,
    title: command.title,
    enabled,
    state: command.isChecked(state) ? "on" : "off",
    attributes: enabled ? [] : ["disabled"],
    target: "groups",
    reason: enabled ? "enabled" : "ruleFalse",
  };
}

function validate({ session: id, commands: wanted }) {
  const { revision, state } = sessions.get(id);
  const asked = wanted ? wanted.map((id) => commandsById.get(id)) : commands;
  const items = asked.map((command) => item(command, state));
  return { session: id, revision, catalogRevision: 0, items };
}

function open({ id }) {
  sessions.set(id, { revision: 0, state: structuredClone(template) });
  return { session: id, revision: 0 };
}

function merge(target, patch) {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete target[name];
    else if (typeof value !== "object" || Array.isArray(value)) target[name] = value;
    else merge((target[name] ??= {}), value);
  }
}

function patch(id, changes) {
  const session = sessions.get(id);
  merge(session.state, changes);
  session.revision += 1;
  return { session: id, revision: session.revision, changes: [{ change: "mergedState", patch: changes }] };
}

function answer(method, path, body) {
  if (method === "GET" && path === "/health") return { status: "ok" };
  if (method === "POST" && path === "/commands/validate") return validate(body);
  if (method === "POST" && path === "/sessions") return open(body);
  const [, id] = path.match(/^\/sessions\/([^/]+)\/state$/);
  return patch(id, body);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const text = JSON.stringify(answer(request.method, request.url, body));
    response.writeHead(request.url === "/sessions" ? 201 : 200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    });
    response.end(text);
  });
});
server.listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
