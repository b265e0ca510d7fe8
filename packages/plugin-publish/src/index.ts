export { type AuthorSettings, type Content, type ContentFile, readContent } from './content.ts'
export { type JsonChange, jsonChanges } from './json-changes.ts'
export { checkPlan, type PlanContext, refusalOf } from './plan-check.ts'
export { type FileLine, makePlan, type Plan, type Risk } from './plan.ts'
export { PublishError, type PublishErrorCode } from './publish-error.ts'
export { applyPlan, type PublishOptions, type PublishResult } from './publish.ts'
export {
  type DeploymentFilter,
  listDeployments,
  type ListedDeployment,
  readRemote,
  type Remote,
  type RemoteDeployment,
  type SettingsForecast,
  type TargetStore,
} from './remote.ts'
export { chooseVersion, trialOf, type Versioning, withVersion } from './version.ts'
export { type Consent, type Strategy, type SyncedSettings, type SyncOptions, syncSettings } from './settings.ts'
