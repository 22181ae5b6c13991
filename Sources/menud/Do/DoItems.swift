import ArgumentParser
import JSONText
import MenuEngine
import MicroHTTP

/// The name of an item as one word: the command, and for an item from data `/` and its key, percent-encoded.
struct ItemName {
  let command: String
  let key: String?

  init(_ item: JSON) {
    command = item.text("command") ?? ""
    key = item.text("itemKey")
  }

  /// Reads a word; a key that is not percent-encoded is used as is.
  init(_ word: String) {
    // No identifier has a slash.
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    command = String(parts.first ?? "")
    key = parts.count > 1 ? String(parts[1]).percentDecoded ?? String(parts[1]) : nil
  }

  var word: String { key.map { "\(command)/\($0.percentEncoded)" } ?? command }

  /// Returns true if the item is of the command and, if a key is named, has that key.
  func names(_ item: JSON) -> Bool {
    let other = ItemName(item)
    guard command.hasSameBytes(as: other.command) else { return false }
    return key.map { key in other.key?.hasSameBytes(as: key) == true } ?? true
  }
}

struct ItemTable {
  private var table = DoTable(heading: ["COMMAND", "TITLE", "STATE", "KEY", "TARGET or WHY"])

  init(_ items: [JSON], on platform: KeyPlatform) {
    for item in items {
      table.rows.append(
        DoTable.Row(cells: Self.cells(item, on: platform), isDim: !item.isTrue("enabled")))
    }
  }

  func print() { table.print() }

  static func cells(_ item: JSON, on platform: KeyPlatform) -> [String] {
    let isEnabled = item.isTrue("enabled")
    let why = item.text("explanation") ?? item.text("reason") ?? ""
    return [
      ItemName(item).word, item.text("title") ?? "", state(of: item),
      KeyLabel.text(item.member("key"), on: platform),
      isEnabled ? item.text("target") ?? "" : why,
    ]
  }

  private static func state(of item: JSON) -> String {
    if item.texts("attributes").contains("hidden") { return "hidden" }
    guard item.isTrue("enabled") else { return "disabled" }
    return item.isTrue("checkable") ? item.text("state") ?? "off" : "enabled"
  }

  /// Returns the items of a menu and its submenus in order, each once.
  static func items(in menu: JSON) -> [JSON] {
    var (items, seen): ([JSON], Set<[UInt8]>) = ([], [])
    var rest = Array(menu.list("children").reversed())
    while let child = rest.popLast() {
      if child.text("command") == nil {
        rest += child.list("children").reversed()
      } else if seen.insert(Array(ItemName(child).word.utf8)).inserted {
        items.append(child)
      }
    }
    return items
  }
}

/// Keys as keymaps write them (K9).
enum KeyLabel {
  /// Returns the text of a key in a document; empty if there is none on the platform.
  static func text(_ json: JSON?, on platform: KeyPlatform) -> String {
    let json = json?.member(platform.rawValue) ?? json
    let strokes: [JSON]
    switch json {
    case .array(let several)?: strokes = several
    case .object?: strokes = json.map { [$0] } ?? []
    default: return ""
    }
    let keys = strokes.compactMap { stroke -> KeyCombination? in
      let modifiers = stroke.texts("modifiers").compactMap(KeyModifiers.Name.init)
      return stroke.text("input").flatMap {
        KeyCombination(input: $0, modifiers: KeyModifiers(modifiers))
      }
    }
    guard keys.count == strokes.count, let key = KeySequence(keys) else { return "" }
    return KeyText.text(of: key, on: platform) ?? ""
  }

  static func strokes(_ text: String, on platform: KeyPlatform) throws(DoFailure) -> JSON {
    let read: [KeyText.Stroke]
    do throws(KeyText.Fault) {
      read = try KeyText.strokes(of: text, on: platform)
    } catch {
      throw DoFailure(.mistake, "There is no key '\(error.name)' in '\(text)'.")
    }
    var keys: [KeyCombination] = []
    for stroke in read {
      switch stroke {
      case .key(let key): keys.append(key)
      case .withoutInput(let name):
        throw DoFailure(.mistake, "The key '\(name)' has no input, so no command can have it.")
      }
    }
    guard let key = KeySequence(keys) else {
      throw DoFailure(.mistake, "A key has one to \(KeySequence.maximumCount) strokes.")
    }
    return key.json
  }
}
