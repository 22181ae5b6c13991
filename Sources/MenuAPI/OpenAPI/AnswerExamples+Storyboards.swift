extension AnswerExamples {
  /// Storyboards, the protocols of delegates, and what is done with them.
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
    "scenes":{"photos":{"class":"UIViewController","properties":{},\#
    "handlers":{"unwindToPhotos:":{"perform":[]},"zoomDidChange:":{"perform":[]}},\#
    "view":{"id":"view","class":"UIView","properties":{},"handlers":{}},\#
    "segues":[{"identifier":"ShowZoom","kind":"present","destination":"zoom",\#
    "prepare":[{"op":"delegate","of":"segue.destination.id","to":"segue.source.id"}]}]},\#
    "zoom":{"class":"ZoomViewController","properties":{"zoom":100},"handlers":{},\#
    "view":{"id":"view","class":"UIView","properties":{},"handlers":{}}}}}}}
    """#,
    "getStoryboardWarnings": #"""
    {"catalogRevision":5,"warnings":[]}
    """#,
    "getStoryboard": #"""
    {"initialViewController":"photos","scenes":{"photos":{"class":"UIViewController",\#
    "properties":{},"handlers":{"unwindToPhotos:":{"perform":[]},\#
    "zoomDidChange:":{"perform":[]}},"view":{"id":"view","class":"UIView",\#
    "properties":{},"handlers":{}},"segues":[{"identifier":"ShowZoom","kind":"present",\#
    "destination":"zoom","prepare":[{"op":"delegate","of":"segue.destination.id",\#
    "to":"segue.source.id"}]}]},"zoom":{"class":"ZoomViewController",\#
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
    "launch": #"""
    {"session":"phone","revision":1,"steps":[{"step":1,"name":"delegateInstantiated",\#
    "responder":"appDelegate","done":true,"says":"V1.1: the delegate 'appDelegate' is \#
    instantiated."},{"step":2,"name":"windowCreated","responder":"window","done":true,\#
    "says":"V1.2: the window 'window' is created."},{"step":3,"name":"windowGivenToDelegate",\#
    "responder":"appDelegate","done":true,"says":"V1.3: the delegate 'appDelegate' is given the \#
    window."},{"step":4,"name":"storyboardLoaded","done":true,\#
    "says":"V1.4: the main storyboard is loaded."},{"step":5,\#
    "name":"initialViewControllerInstantiated","responder":"photos","done":true,\#
    "says":"V1.5: its initial view controller 'photos' is instantiated."},{"step":6,\#
    "name":"rootViewControllerSet","responder":"photos","done":true,\#
    "says":"V1.6: 'photos' becomes the root view controller of the window."},{"step":7,\#
    "name":"didFinishLaunching","responder":"appDelegate","done":false,\#
    "says":"V1.7: the delegate 'appDelegate' has no method \#
    'application:didFinishLaunchingWithOptions:' and is not told."},{"step":8,\#
    "name":"windowMadeKeyAndVisible","responder":"window","done":true,\#
    "says":"V1.8: the window 'window' becomes key and visible."}],\#
    "changes":[{"change":"responder","responder":"appDelegate","value":{"kind":"delegate",\#
    "class":"UIResponder","properties":{"window":"window"},"handlers":{}}},{"change":"responder",\#
    "responder":"application","value":{"kind":"application","class":"UIApplication",\#
    "delegate":"appDelegate","properties":{},"handlers":{}}},{"change":"responder",\#
    "responder":"window","value":{"kind":"window","class":"UIWindow",\#
    "rootViewController":"photos","properties":{},"handlers":{}}},{"change":"properties",\#
    "responder":"appDelegate","patch":{"window":"window"}},{"change":"responder",\#
    "responder":"photos","value":{"kind":"viewController","class":"UIViewController",\#
    "view":"photos.view","properties":{},"handlers":{"unwindToPhotos:":{"perform":[]},\#
    "zoomDidChange:":{"perform":[]}},"storyboard":"Main","scene":"photos","isInstance":true}},\#
    {"change":"link","responder":"window","link":"rootViewController","destination":"photos"},\#
    {"change":"keyWindow","window":"window"},{"change":"responder","responder":"photos.view",\#
    "value":{"kind":"view","class":"UIView","properties":{},"handlers":{},"isInstance":true,\#
    "owner":"photos"}},{"change":"link","responder":"photos","link":"view",\#
    "destination":"photos.view"},{"change":"document","op":"replace",\#
    "path":"/responders/appDelegate","value":{"kind":"delegate","class":"UIResponder",\#
    "properties":{"window":"window"},"handlers":{}}}],"events":[{"event":"launch","step":1,\#
    "name":"delegateInstantiated","responder":"appDelegate","done":true,\#
    "says":"V1.1: the delegate 'appDelegate' is instantiated."},{"event":"launch","step":2,\#
    "name":"windowCreated","responder":"window","done":true,\#
    "says":"V1.2: the window 'window' is created."},{"event":"launch","step":3,\#
    "name":"windowGivenToDelegate","responder":"appDelegate","done":true,\#
    "says":"V1.3: the delegate 'appDelegate' is given the window."},{"event":"launch","step":4,\#
    "name":"storyboardLoaded","done":true,"says":"V1.4: the main storyboard is loaded."},\#
    {"event":"awakeFromNib","viewController":"photos","told":[]},{"event":"launch","step":5,\#
    "name":"initialViewControllerInstantiated","responder":"photos","done":true,\#
    "says":"V1.5: its initial view controller 'photos' is instantiated."},{"event":"launch",\#
    "step":6,"name":"rootViewControllerSet","responder":"photos","done":true,\#
    "says":"V1.6: 'photos' becomes the root view controller of the window."},{"event":"launch",\#
    "step":7,"name":"didFinishLaunching","responder":"appDelegate","done":false,\#
    "says":"V1.7: the delegate 'appDelegate' has no method \#
    'application:didFinishLaunchingWithOptions:' and is not told."},{"event":"launch","step":8,\#
    "name":"windowMadeKeyAndVisible","responder":"window","done":true,\#
    "says":"V1.8: the window 'window' becomes key and visible."},{"event":"viewDidLoad",\#
    "viewController":"photos","told":[]},{"event":"viewWillAppear","viewController":"photos",\#
    "told":[]},{"event":"viewDidAppear","viewController":"photos","told":[]}]}
    """#,
    "performSegue": #"""
    {"session":"phone","revision":2,"performed":true,"reason":"performed",\#
    "identifier":"ShowZoom","kind":"present","source":"photos","destination":"zoom",\#
    "changes":[{"change":"responder","responder":"zoom","value":{"kind":"viewController",\#
    "class":"ZoomViewController","view":"zoom.view","presentingViewController":"photos",\#
    "delegate":"photos","properties":{"zoom":100},"handlers":{},"storyboard":"Main",\#
    "scene":"zoom","isInstance":true}},{"change":"link","responder":"zoom","link":"delegate",\#
    "destination":"photos"},{"change":"presented","responder":"zoom",\#
    "presentingViewController":"photos"},{"change":"responder","responder":"zoom.view",\#
    "value":{"kind":"view","class":"UIView","properties":{},"handlers":{},"isInstance":true,\#
    "owner":"zoom"}},{"change":"link","responder":"zoom","link":"view",\#
    "destination":"zoom.view"}],"events":[{"event":"awakeFromNib","viewController":"zoom",\#
    "told":[]},{"event":"segue","performed":true,"reason":"performed","identifier":"ShowZoom",\#
    "kind":"present","source":"photos","destination":"zoom"},{"event":"viewDidLoad",\#
    "viewController":"zoom","told":[]},{"event":"viewWillAppear","viewController":"zoom",\#
    "told":[]},{"event":"viewDidAppear","viewController":"zoom","told":[]}],\#
    "trace":[{"asked":"photos","question":"optionalMessage",\#
    "selector":"shouldPerformSegueWithIdentifier:sender:","answer":null,"rule":"V7",\#
    "says":"V7: 'photos' answers nothing to 'shouldPerformSegueWithIdentifier:sender:'."},\#
    {"asked":"photos","question":"optionalMessage","selector":"prepareForSegue:sender:",\#
    "answer":null,"rule":"V7","says":"V7: 'photos' answers nothing to 'prepareForSegue:sender:'."}]}
    """#,
    "unwind": #"""
    {"session":"phone","revision":7,"performed":true,"reason":"performed","kind":"unwind",\#
    "source":"zoom","destination":"photos","path":[{"step":"dismiss","viewController":"zoom",\#
    "by":"photos"}],"changes":[{"change":"dismissed","responder":"zoom",\#
    "presentingViewController":"photos"},{"change":"responderRemoved","responder":"zoom"},\#
    {"change":"responderRemoved","responder":"zoom.view"}],"events":[{"event":"segue",\#
    "performed":true,"reason":"performed","kind":"unwind","source":"zoom",\#
    "destination":"photos","path":[{"step":"dismiss","viewController":"zoom","by":"photos"}]},\#
    {"event":"viewWillDisappear","viewController":"zoom","told":[]},{"event":"viewDidDisappear",\#
    "viewController":"zoom","told":[]},{"event":"dealloc","viewController":"zoom","told":[]}]}
    """#,
  ]
}
