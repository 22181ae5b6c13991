extension AnswerExamples {
  /// Storyboards, and the protocols of delegates.
  static let storyboards: [String: String] = [
    "listProtocols": #"""
    {"catalogRevision":3,"protocols":{"ZoomDelegate":{"required":["zoomDidChange:"],\#
    "optional":["zoomDidCancel:"]}}}
    """#,
    "getProtocol": #"""
    {"required":["zoomDidChange:"],"optional":["zoomDidCancel:"]}
    """#,
    "declareProtocol": #"""
    {"required":["pickerDidCancel:"],"optional":["picker:didPick:"]}
    """#,
    "listStoryboards": #"""
    {"catalogRevision":5,"storyboards":{"Main":{"initialViewController":"photos",\#
    "scenes":{"photos":{"class":"UIViewController","properties":{},"handlers":{},\#
    "view":{"id":"view","class":"UIView","properties":{},"handlers":{}},\#
    "segues":[{"identifier":"ShowZoom","kind":"present","destination":"zoom"}]},\#
    "zoom":{"class":"ZoomViewController","properties":{"zoom":100},"handlers":{},\#
    "view":{"id":"view","class":"UIView","properties":{},"handlers":{}}}}}}}
    """#,
    "getStoryboard": #"""
    {"initialViewController":"photos","scenes":{"photos":{"class":"UIViewController",\#
    "properties":{},"handlers":{},"view":{"id":"view","class":"UIView","properties":{},\#
    "handlers":{}},"segues":[{"identifier":"ShowZoom","kind":"present",\#
    "destination":"zoom"}]},"zoom":{"class":"ZoomViewController",\#
    "properties":{"zoom":100},"handlers":{},"view":{"id":"view","class":"UIView",\#
    "properties":{},"handlers":{}}}}}
    """#,
    "declareStoryboard": #"""
    {"initialViewController":"topics","scenes":{"topics":{"class":"UIViewController",\#
    "properties":{},"handlers":{},"view":{"id":"view","class":"UIView","properties":{},\#
    "handlers":{}},"segues":[{"identifier":"ShowTopic","kind":"show",\#
    "destination":"topic"}]},"topic":{"class":"UIViewController",\#
    "properties":{"text":null},"handlers":{},"view":{"id":"view","class":"UIView",\#
    "properties":{},"handlers":{}}}}}
    """#,
  ]
}
