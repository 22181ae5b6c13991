// menud-agents.js: the commands of a session as tools of the browser's own agents (WebMCP), on menud.js.
//
//   const mirror = await session.follow({ tools: true })
//   expose(mirror, document.modelContext, { confirm: async ({ title }) => window.confirm(title) })
//
// The tools are those that the session offers to every agent by the Model Context Protocol, and are called by it. Its
// types are in menud-agents.d.ts.

import { Problem, Unreached } from './menud.js'

const revision = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': revision, 'io.modelcontextprotocol/clientCapabilities': {} }

/**
 * Registers the enabled commands of a mirror's session as tools of a `ModelContext`, and withdraws them as they become
 * disabled, until the returned function is called or the mirror is closed. Nothing is done without a `ModelContext`, as
 * in browsers that have none. The mirror follows `tools`.
 *
 * A command that needs a confirmation is performed if `confirm` answers true. Without `confirm` the agent gets the
 * command's plan. A call waits `wait` seconds for the work that it delivers; then the work is cancelled.
 */
export function expose(mirror, modelContext, options) {
  if (!mirror.what.tools) throw new TypeError('The mirror has no tools: follow({ tools: true }).')
  if (!modelContext) return () => {}
  const exposure = new Exposure(mirror, modelContext, options)
  return () => exposure.stop()
}

class Exposure {
  /** The registered tools by their names: the text of each, and the controller that withdraws it. */
  #tools = new Map()
  /** The mirror's tools that are registered. */
  #told
  #unsubscribe

  constructor(mirror, modelContext, { confirm, wait = 300, onError = (error) => globalThis.reportError(error) } = {}) {
    Object.assign(this, { mirror, modelContext, confirm, wait, onError })
    this.#unsubscribe = mirror.subscribe(this.#follow)
    this.#follow()
  }

  #follow = () => {
    const { isClosed, tools } = this.mirror
    if (isClosed) this.stop()
    else if (tools !== this.#told) this.#register(tools)
  }

  #register(tools) {
    this.#told = tools
    const texts = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]))
    for (const [name, { text, withdrawal }] of this.#tools) {
      if (texts.get(name) === text) continue
      withdrawal.abort()
      this.#tools.delete(name)
    }
    for (const tool of tools) if (!this.#tools.has(tool.name)) this.#add(tool, texts.get(tool.name))
  }

  #add({ name, title, description, inputSchema, annotations }, text) {
    const withdrawal = new AbortController()
    const { signal } = withdrawal
    this.#tools.set(name, { text, withdrawal })
    this.modelContext.registerTool({
      name, title, description, inputSchema,
      annotations: { readOnlyHint: annotations?.readOnlyHint, consequentialHint: annotations?.destructiveHint },
      execute: (given, options) => this.#call(name, given, options?.signal),
    }, { signal }).catch((error) => { if (!signal.aborted) this.onError(error) })
  }

  /** Calls a tool. A refusal is a result in words, since an agent is not told why a call has failed. */
  async #call(name, given, signal) {
    const call = (given) => this.#ask(name, given, { signal, wait: this.wait })
    try {
      let result = await call(given)
      // If the plan would do something else by now, the person is asked again.
      while (this.confirm && result.structuredContent?.planned && result.structuredContent.confirmation) {
        const { confirmation, plan, planArgument } = result.structuredContent
        if (!await this.confirm(confirmation)) return declined(confirmation)
        signal?.throwIfAborted()
        result = await call({ ...given, [planArgument]: plan })
      }
      return result
    } catch (error) {
      signal?.throwIfAborted()
      const text = error instanceof Unreached ? `${error.message} It is not known if it was performed.` : error.message
      return { content: [{ type: 'text', text }], isError: true }
    }
  }

  /** Sends a call, and returns what an agent reads of its result. */
  async #ask(name, given, options) {
    const { session } = this.mirror
    const method = 'tools/call'
    const answer = await session.client.request('POST', session.path('mcp'), {
      query: { tools: 'enabled' },
      headers: { 'MCP-Protocol-Version': revision, 'Mcp-Method': method, 'Mcp-Name': name },
      body: { jsonrpc: '2.0', id: 1, method, params: { name, arguments: given, _meta: meta } },
      ...options,
    }).then(({ text }) => JSON.parse(lastData(text) ?? text), errorOf)
    if (answer.error) throw new Problem(400, { title: answer.error.message })
    const { resultType, _meta, ...result } = answer.result
    return result
  }

  stop() {
    this.#unsubscribe()
    this.#register([])
  }
}

/** The message of a refusal, if it is one of the protocol. */
const errorOf = (error) => {
  if (error.document?.error) return error.document
  throw error
}

/** The last message of an answer that is a stream, since the call waited for work. */
const lastData = (text) => Array.from(text.matchAll(/^data: (.*)$/gm), ([, data]) => data).at(-1)

const declined = ({ title }) => ({
  content: [{ type: 'text', text: `Nothing was done: the person was asked “${title}”, and did not agree.` }],
  structuredContent: { performed: false, reason: 'decline' },
})
