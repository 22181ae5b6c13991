import ArgumentParser
import JSONText

/// Words from the server for completion in shells.
///
/// Failures are silent, because a completion cannot report them.
enum DoCompletion {
  /// The timeout of a completion in seconds.
  private static let patience = 1.0

  @Sendable static func sessions(
    _ words: [String], _ index: Int, prefix: String
  ) -> [String] {
    let answer = try? client(words)?.answer(to: .get("sessions"))
    return answer?.json.list("sessions").compactMap { $0.text("session") }.map(shellWord) ?? []
  }

  @Sendable static func commands(
    _ words: [String], _ index: Int, prefix: String
  ) -> [String] {
    guard let menu = menu(words) else { return [] }
    return ItemTable.items(in: menu).map { shellWord(ItemName($0).word) }
  }

  /// The commands without the keys of items.
  @Sendable static func commandNames(
    _ words: [String], _ index: Int, prefix: String
  ) -> [String] {
    guard let menu = menu(words) else { return [] }
    var seen: Set<String> = []
    return ItemTable.items(in: menu).map { ItemName($0).command }
      .filter { seen.insert($0).inserted }.map(shellWord)
  }

  @Sendable static func menus(
    _ words: [String], _ index: Int, prefix: String
  ) -> [String] {
    var names: [String] = []
    var rest = menu(words).map { [$0] } ?? []
    while let menu = rest.popLast() {
      guard menu.text("command") == nil else { continue }
      if let name = menu.text("identifier") { names.append(shellWord(name)) }
      rest += menu.list("children").reversed()
    }
    return names
  }

  /// The parameters of the command typed before, with their choices.
  @Sendable static func parameters(
    _ words: [String], _ index: Int, prefix: String
  ) -> [String] {
    guard let (client, session) = opened(words), let verb = words.firstIndex(of: "perform"),
      let command = try? PerformCommand.parse(Array(words.dropFirst(verb + 1))).command
    else { return [] }
    let name = ItemName(command)
    guard
      let form = try? client.answer(
        to: .get("sessions", session, "commands", name.command, "form"))
    else { return [] }
    let schema = ParameterSchema(form.json.member("schema") ?? .null)
    return schema.names.flatMap { name in
      let choices = schema.choices(for: name).compactMap { choice -> String? in
        if case .string(let text) = choice { text } else { choice.text() }
      }
      return (choices.isEmpty ? [""] : choices).map { shellWord("\(name)=\($0)") }
    }
  }

  private static func menu(_ words: [String]) -> JSON? {
    guard let (client, session) = opened(words) else { return nil }
    let answer = try? client.answer(to: .get("sessions", session, "menu"))
    return answer?.json.member("menu")
  }

  private static func opened(_ words: [String]) -> (DoClient, session: String)? {
    guard let client = client(words) else { return nil }
    let named = option("session", in: words) ?? Posix.environmentValue("MENUD_SESSION")
    if let named, !named.isEmpty { return (client, named) }
    guard let session = try? client.onlySession() else { return nil }
    return (client, session)
  }

  private static func client(_ words: [String]) -> DoClient? {
    ChildProcess.ignoreBrokenPipes()
    var options: [String] = ["--timeout", "\(patience)"]
    for name in ["server", "token-file"] {
      if let value = option(name, in: words) { options += ["--\(name)", value] }
    }
    guard let server = try? ServerOptions.parse(options) else { return nil }
    var client = try? server.client()
    client?.attempts = 1
    return client
  }

  /// Returns the value of an option among the typed words.
  private static func option(_ name: String, in words: [String]) -> String? {
    for (index, word) in words.enumerated().reversed() {
      if word == "--\(name)", index + 1 < words.count { return words[index + 1] }
      if word.hasPrefix("--\(name)=") { return String(word.dropFirst(name.count + 3)) }
    }
    return nil
  }

  /// Returns a word without terminal control characters, quoted for the shell.
  ///
  /// In zsh a colon would begin a description. Bash's `compgen` expands words and removes their quotes.
  private static func shellWord(_ word: String) -> String {
    let plain = word.plainText()
    return switch CompletionShell.requesting {
    case .zsh: plain.replacing(":", with: "\\:")
    case .bash: plain.replacing(/[^A-Za-z0-9_.\/:=%@+,\u{80}-\u{10FFFF}-]/) { "\\" + $0.output }
    default: plain
    }
  }
}

/// The completion script for bash.
enum BashCompletion {
  /// The last line of the argument parser's script.
  static let registration = "complete -o filenames -F _menud menud"

  /// The wrapper that replaces it: bash breaks words at `:` and `=`, which occur in names and parameters.
  static let wholeWords = #"""
    # bash breaks words at ':' and '=' too, and leaves them quoted: here they become whole and plain, and what
    # is offered begins where bash's word does.
    _menud_whole_words() {
        local rest="${COMP_LINE:0:COMP_POINT}" word plain
        local -a words=()
        local -i index
        for ((index = 0; index <= COMP_CWORD; index++)); do
            word="${COMP_WORDS[index]}"
            plain="${rest#"${rest%%[![:space:]]*}"}"
            ((index < COMP_CWORD)) || word="${plain}"
            if [[ ${#words[@]} -eq 0 || "${plain}" != "${rest}" ]]; then
                words+=("${word}")
            else
                words[${#words[@]} - 1]+="${word}"
            fi
            rest="${plain#"${word}"}"
        done
        words=("${words[@]//[\\\"\']/}")
        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD=$((${#words[@]} - 1))
        local whole="${words[COMP_CWORD]}" typed="${2//[\\\"\']/}" previous=""
        ((COMP_CWORD > 0)) && previous="${words[COMP_CWORD - 1]}"
        _menud "${1}" "${whole}" "${previous}"
        local -i known=$((${#whole} - ${#typed}))
        COMPREPLY=("${COMPREPLY[@]:0}")
        for ((index = 0; index < ${#COMPREPLY[@]}; index++)); do
            COMPREPLY[index]="${COMPREPLY[index]:known}"
        done
        # A value follows at once.
        [[ "${COMPREPLY[*]}" != *= ]] || compopt -o nospace 2>/dev/null
    }

    complete -o filenames -F _menud_whole_words menud
    """#
}
