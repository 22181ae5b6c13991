// The actions that can be undone and redone.

import { h } from '../client/elements/dom.js'
import { counted, quoted } from '../client/elements/words.js'
import { curlButton, some } from './elements.js'
import { Panel } from './state.js'

export class UndoPanel extends Panel {
  id = 'undo'
  title = 'Undo'

  render() {
    const { app } = this
    const undo = app.mirror?.document?.undo
    if (!undo) return h('p.hint', {}, 'No session.')
    const stacks = [[null, undo.session], ...Object.entries(undo.responders)]
    const button = (key, title, isPossible, send) => h('button', {
      type: 'button', 'data-key': key, disabled: !isPossible || app.isHindered,
      onclick: () => app.change(quoted(title), send),
    }, title)
    const { session } = undo
    return [h('div.tools', {},
      curlButton(app, { method: 'POST', path: app.session.path('undo'), body: {} }, 'undoing'),
      button('undo', session.undoMenuItemTitle, session.canUndo, (options) => app.session.undo(options)),
      button('redo', session.redoMenuItemTitle, session.canRedo, (options) => app.session.redo(options))),
    h('div.scroll', { 'data-scroll': 'undo', tabindex: 0, role: 'group', 'aria-label': 'Undo stacks' },
      some('undo', stacks, ([owner, stack]) => h('div.stacks', {},
        h('h3.owner', {}, owner ?? 'Session'), list(owner, stack.undo, 'Undo'), list(owner, stack.redo, 'Redo')), { most: 20, tag: 'p' }))]
  }
}

const list = (owner, groups, name) => h('div', {},
  h('h3', {}, name),
  groups.length ? h('ol.stack', {}, some(`undo ${name} ${owner}`, groups, ({ actionName, actions }) => h('li', {},
    actionName || 'unnamed',
    h('small', {}, counted(actions, 'change')),
  ), { most: 20 })) : h('p.hint', {}, 'empty'))
