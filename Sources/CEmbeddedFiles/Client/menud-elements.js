// menud-elements.js: the menus of a session as elements of a page, on menud.js.
//
//   <menud-session server="http://localhost:8080" name="demo">
//     <menud-menu-bar></menud-menu-bar>
//     <menud-palette></menud-palette>
//     <menud-keys></menud-keys>
//   </menud-session>
//
// In reading order, in `elements`: session, view and element, which all share; menus, menu-bar and context-menu; tools;
// palette; forms, with confirmations; keys; style. Its types are in menud-elements.d.ts.

import { ContextMenu } from './elements/context-menu.js'
import { Keys } from './elements/keys.js'
import { MenuBar } from './elements/menu-bar.js'
import { Palette } from './elements/palette.js'
import { MenudSession } from './elements/session.js'
import { Button, ToolBar, TouchBar } from './elements/tools.js'

export { SessionView } from './elements/view.js'
export { ask, askParameters } from './elements/forms.js'
export { reasons, words } from './elements/words.js'
export { Button, ContextMenu, Keys, MenuBar, MenudSession, Palette, ToolBar, TouchBar }

const elements = {
  'menud-session': MenudSession,
  'menud-menu-bar': MenuBar,
  'menud-context-menu': ContextMenu,
  'menud-tool-bar': ToolBar,
  'menud-touch-bar': TouchBar,
  'menud-button': Button,
  'menud-palette': Palette,
  'menud-keys': Keys,
}

// Two copies of the module on a page share the elements of the first. On a server, which renders pages, there are none.
for (const [name, element] of Object.entries(globalThis.customElements ? elements : {})) {
  if (!customElements.get(name)) customElements.define(name, element)
}
