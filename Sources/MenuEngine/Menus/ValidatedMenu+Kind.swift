extension ValidatedMenu {
  /// Leaves out what a menu of this kind does not show (M8).
  ///
  /// A context menu has neither hidden items; a main menu keeps those, marked as hidden.
  mutating func show(as kind: MenuKind) {
    switch kind {
    case .main: break
    case .context: leaveOutWhatCannotBePerformed()
    }
  }

  private mutating func leaveOutWhatCannotBePerformed() {
    var shown: [Element] = []
    for child in children {
      switch child {
      case .item(var item):
        if item.isShownInContextMenu {
          item.alternates.removeAll { !$0.isShownInContextMenu }
          shown.append(.item(item))
        } else {
          leftOut.append(item)
        }
      case .menu(var menu):
        menu.leaveOutWhatCannotBePerformed()
        if menu.children.isEmpty { leftOut += menu.leftOut } else { shown.append(.menu(menu)) }
      }
    }
    children = shown
  }
}

extension ValidatedItem {
  fileprivate var isShownInContextMenu: Bool { isEnabled && !attributes.contains(.hidden) }
}
