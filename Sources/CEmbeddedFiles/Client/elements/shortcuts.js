// Keys as `aria-keyshortcuts` writes them.

import { keyOn } from '../menud.js'

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const modifierNames = { command: isMac ? 'Meta' : 'Control', control: isMac ? 'Control' : 'Meta', alternate: 'Alt', shift: 'Shift' }
const keyNames = {
  UIKeyInputUpArrow: 'ArrowUp', UIKeyInputDownArrow: 'ArrowDown', UIKeyInputLeftArrow: 'ArrowLeft', UIKeyInputRightArrow: 'ArrowRight',
  UIKeyInputDelete: 'Delete', '\b': 'Backspace', '\r': 'Enter', '\t': 'Tab', ' ': 'Space', '+': 'Plus',
}

/** The key of an item as assistive technology reads it; undefined without one, or if it has several strokes. */
export function shortcutsOf(key) {
  const stroke = keyOn(key)
  if (!stroke || Array.isArray(stroke)) return undefined
  const { input, modifiers = [] } = stroke
  const held = modifiers.map((name) => modifierNames[name]).filter(Boolean)
  return [...held, keyNames[input] ?? (input.length === 1 ? input.toUpperCase() : input.replace(/^UIKeyInput/, ''))].join('+')
}
