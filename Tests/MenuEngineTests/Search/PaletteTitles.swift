/// The titles of a large editor's commands, each behind the title of its menu.
enum PaletteTitles {
  static let all: [(menu: String, title: String)] = text.split(separator: "\n").flatMap { line in
    let parts = line.split(separator: ": ", maxSplits: 1)
    return parts[1].split(separator: " | ").map { (String(parts[0]), String($0)) }
  }

  private static let text = """
    Application: About | Settings… | Keyboard Shortcuts… | Check for Updates… | Hide | Hide Others | Show All | Quit
    File: New File… | New Window | Open… | Open Folder… | Open Recent… | Save | Save As… | Save All | Auto Save | Revert File
    File: Close Editor | Close All Editors | Close Folder | Close Window | Reopen Closed Editor | Compare Active File With…
    File: Copy Path | Copy Relative Path | Reveal in Side Bar | Change Encoding | Change End of Line Sequence | Share…
    Edit: Undo | Redo | Cut | Copy | Paste | Delete Line | Copy Line Up | Copy Line Down | Move Line Up | Move Line Down
    Edit: Find | Find Next | Find Previous | Replace | Find in Files | Replace in Files | Toggle Line Comment
    Edit: Toggle Block Comment | Join Lines | Sort Lines Ascending | Sort Lines Descending | Trim Trailing Whitespace
    Edit: Transform to Uppercase | Transform to Lowercase | Transform to Title Case | Indent Line | Outdent Line
    Selection: Select All | Expand Selection | Shrink Selection | Add Cursor Above | Add Cursor Below
    Selection: Add Next Occurrence | Select All Occurrences | Column Selection Mode | Expand Line Selection
    View: Zoom In | Zoom Out | Reset Zoom | Toggle Full Screen | Toggle Zen Mode | Centered Layout | Toggle Menu Bar
    View: Explorer | Search | Source Control | Extensions | Problems | Output | Debug Console | Terminal | Outline
    View: Toggle Panel | Toggle Side Bar | Toggle Status Bar | Toggle Word Wrap | Toggle Minimap | Render Whitespace
    View: Split Editor | Split Editor Down | Single Column Layout | Two Columns Layout | Grid Layout | Flip Layout
    Go: Back | Forward | Go to File… | Go to Line… | Go to Symbol in Editor… | Go to Symbol in Workspace… | Go to Bracket
    Go: Go to Definition | Go to Declaration | Go to Type Definition | Go to Implementations | Go to References
    Go: Next Problem | Previous Problem | Next Change | Previous Change | Last Edit Location | Peek Definition
    Refactor: Quick Fix… | Rename Symbol… | Refactor… | Organize Imports | Format Document | Format Selection
    Refactor: Source Action… | Trigger Suggest | Show Hover | Extract Function… | Extract Constant… | Inline Variable
    Git: Initialize Repository | Clone… | Open Repository… | Close Repository | Refresh | Pull | Push | Fetch | Sync
    Git: Stage All Changes | Unstage All Changes | Discard All Changes | Commit… | Commit Staged | Commit (Amend)
    Git: Undo Last Commit | Create Branch… | Delete Branch… | Rename Branch… | Merge… | Rebase Branch… | Stash | Pop Stash
    Git: Apply Latest Stash | Add Remote… | Remove Remote… | Create Tag… | Delete Tag… | View History
    Run: Start Debugging | Run Without Debugging | Stop | Restart | Step Over | Step Into | Step Out | Continue
    Run: Toggle Breakpoint | Conditional Breakpoint… | Enable All Breakpoints | Disable All Breakpoints | Add Watch…
    Terminal: New Terminal | Split Terminal | Kill Terminal | Clear | Run Task… | Run Build Task… | Configure Tasks…
    Terminal: Run Selected Text | Rename… | Select Default Profile… | Scroll to Top | Scroll to Bottom
    """
}
