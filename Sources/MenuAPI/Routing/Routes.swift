extension Service {
  /// All routes, in the order of the OpenAPI document.
  package static let routes: [Route] =
    HealthRoutes.all + CommandRoutes.all + MenuRoutes.all + SessionRoutes.all
    + ResponderRoutes.all + HandlerRoutes.all + RegistrationRoutes.all + FocusRoutes.all
    + StateRoutes.all + MutationRoutes.all + QuestionRoutes.all + TargetRoute.all
    + ValidationRoute.all
    + PerformRoute.all + RuleRoutes.all
    + KeyRoutes.all + KeyConflictRoute.all + KeyCommandRoutes.all
    + LateResponderRoutes.all + ChainRoutes.all
    + ProtocolRoutes.all + StoryboardRoutes.all + SegueRoutes.all + MessageRoutes.all
    + SegueRoutes.unwinding + UndoRoutes.all
}
