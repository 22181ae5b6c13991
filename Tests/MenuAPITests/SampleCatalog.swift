import JSONText
import MenuEngine

/// A small photo application: ratings handled by a grid, and by a host through its coordinator.
enum SampleCatalog {
  /// The catalogue, without the command that has this id in its document.
  static func catalog(leavingOut id: String? = nil) throws -> Catalog {
    guard id == nil else { return try read(leavingOut: id) }
    return try whole.get()
  }

  private static let whole = Result { try read(leavingOut: nil) }

  private static func read(leavingOut id: String?) throws -> Catalog {
    let declared = try JSON(parsing: commands).items.filter { command in
      id == nil || command[JSONPointer(["id"])]?.word != id
    }
    return try CatalogDocument([
      .commands: .array(declared), .menus: JSON(parsing: menus),
      .classes: JSON(parsing: classes), .session: JSON(parsing: session),
      .protocols: JSON(parsing: protocols), .storyboards: JSON(parsing: storyboards),
      .strings: JSON(parsing: strings),
    ]).catalog()
  }

  /// One language has texts of commands, the other one free keys alone.
  private static let strings = """
    {
      "de": {
        "commands": {"copy:": "Kopieren", "delete:": "Löschen", "sortByDate": "Datum",
                     "gone:": {"title": "Weg", "unavailable": "Niemand kann das."}},
        "menus": {"edit": "Bearbeiten"},
        "strings": {
          "paste": {"one": "{count} Foto einsetzen", "other": "{count} Fotos einsetzen"},
          "Nothing to paste.": "Nichts einzusetzen."
        }
      },
      "fr": {
        "strings": {
          "paste": {"one": "Coller {count} photo", "other": "Coller {count} photos"},
          "Nothing to paste.": "Rien à coller."
        }
      }
    }
    """

  private static let protocols = """
    {"ZoomDelegate": {"required": ["zoomDidChange:"], "optional": ["zoomDidCancel:"]}}
    """

  private static let storyboards = """
    {"Main": {
      "initialViewController": "photos",
      "scenes": {
        "photos": {
          "class": "UIViewController",
          "handlers": {"zoomDidChange:": {}, "unwindToPhotos:": {}},
          "segues": [{
            "identifier": "ShowZoom", "kind": "present", "destination": "zoom",
            "prepare": [
              {"op": "delegate", "of": "segue.destination.id", "to": "segue.source.id"}
            ]
          }]
        },
        "zoom": {"class": "ZoomViewController", "properties": {"zoom": 100}}
      }
    }}
    """

  private static let commands = """
    [
      {"title": "Copy", "action": "copy:", "key": {"input": "c", "modifiers": ["command"]}},
      {"title": "Paste", "action": "paste:"},
      {"title": "Delete", "action": "delete:", "attributes": ["destructive"]},
      {"title": "★★★★", "action": "applyFourStarRating:"},
      {"title": "★★★★★", "action": "applyFiveStarRating:",
       "key": {"input": "5", "modifiers": ["command"]}},
      {"id": "sortByDate", "title": "Date", "action": "sort:", "propertyList": "date"},
      {"id": "sortByTitle", "title": "Title", "action": "sort:", "propertyList": "title"},
      {"id": "separate", "title": "Separate"}
    ]
    """

  private static let menus = """
    [
      {"identifier": "edit", "title": "Edit", "children": ["copy:", "delete:"]},
      {"identifier": "image", "title": "Image", "children": [
        {"identifier": "rating", "title": "Rating", "options": ["singleSelection"],
         "children": ["applyFourStarRating:", "applyFiveStarRating:"]}
      ]}
    ]
    """

  private static let classes = """
    {
      "PhotoGrid": {"superclass": "UIView", "handlers": {
        "applyFiveStarRating:": {
          "validate": {"enabled": "size(state.selection) > 0", "checked": "state.rating >= 5"},
          "perform": [{"op": "replace", "path": "/rating", "value": "5"}]
        },
        "applyFourStarRating:": {
          "validate": {"enabled": "size(state.selection) > 0", "checked": "state.rating >= 4"},
          "perform": [{"op": "replace", "path": "/rating", "value": "4"}]
        },
        "paste:": {"validate": {"enabled": "state.clipboard.isOpen"}},
        "sort:": {"perform": [
          {"op": "replace", "path": "/rating", "value": "0"},
          {"op": "replace", "path": "/sortedBy/key", "value": "command.propertyList"}
        ]},
        "delete:": {"validate": {"enabled": "size(state.selection) > 1"}}
      }},
      "ZoomViewController": {"superclass": "UIViewController", "delegateProtocol": "ZoomDelegate"}
    }
    """

  private static let session = """
    {
      "state": {"rating": 0, "selection": ["lake"], "photos": ["lake", "owl"], "zoom": 100,
                "sortedBy": null},
      "responders": {
        "application": {"kind": "application"},
        "window": {"kind": "window", "rootViewController": "root"},
        "root": {"kind": "viewController", "view": "rootView",
                 "userActivity": {"activityType": "photos.browse", "title": "Alps"},
                 "touchBar": {"items": [{"command": "copy:"}, "otherItems"]}},
        "gridProxy": {"kind": "responder", "weight": 5, "proxied": "photoGrid",
                      "proxiedSelectors": ["copy:"]},
    "rootView": {"kind": "view"},
        "photoGrid": {"kind": "view", "class": "PhotoGrid", "superview": "rootView",
                      "handlers": {"copy:": {"validate": {"title": "'Copy Photo'"}}}},
        "photoHost": {"kind": "viewController", "parent": "root", "view": "hostedView",
          "lateResponders": {},
          "coordinator": {"handlers": {
            "applyFiveStarRating:": {
              "perform": [{"op": "replace", "path": "/rating", "value": "5"}]
            }
          }}},
        "hostedView": {"kind": "view", "superview": "rootView"}
      },
      "firstResponder": "photoGrid",
      "keyWindow": "window"
    }
    """
}
