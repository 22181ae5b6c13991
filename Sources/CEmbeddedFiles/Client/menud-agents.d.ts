// The types of menud-agents.js.

import type { Confirmation, Mirror } from './menud.js'

/** The part of WebMCP's interface that is used: what `document.modelContext` is. */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options?: { signal?: AbortSignal }): Promise<undefined>
}

export interface ModelContextTool {
  name: string
  title?: string
  description: string
  inputSchema?: object
  annotations?: { readOnlyHint?: boolean; consequentialHint?: boolean }
  execute(given: object, options?: { signal: AbortSignal }): Promise<ToolResult>
}

/** The result of a call, as the Model Context Protocol has it. */
export interface ToolResult {
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/**
 * Registers the enabled commands of a mirror's session as tools, and withdraws them as they become disabled, until the
 * returned function is called or the mirror is closed. Nothing is done without a `ModelContext`. The mirror follows
 * `tools`.
 */
export function expose(mirror: Mirror, modelContext: ModelContext | undefined, options?: {
  /** Asks the person about a command that needs a confirmation. Without it the agent gets the command's plan. */
  confirm?: (confirmation: Confirmation) => boolean | Promise<boolean>
  /** The seconds that a call waits for the work that it delivers; then the work is cancelled. The default is 300. */
  wait?: number
  /** Is told of a tool that cannot be registered. The default is `reportError`. */
  onError?: (error: unknown) => void
}): () => void
