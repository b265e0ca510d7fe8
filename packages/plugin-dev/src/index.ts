export type { DevPlatform, FindPlatform } from './binding/index.ts'
export { type DevEvent, type DevOptions, type DevServer, startDev } from './dev/index.ts'
export { openBrowser } from './runs/browser.ts'
export { devHost, publishedHost, type PublishedHost, type ScenarioHost } from './runs/hosts.ts'
export type { PageProblem } from './runs/page-check.ts'
export { type DemoPreviews, demoPreviewsOf, type TakenPreview, takePreviews } from './runs/previews.ts'
export { keepBaselines, type ScenarioResult, testScenarios } from './runs/scenario-tests.ts'
export {
  cardNumber,
  presetOfCard,
  readScenarios,
  type ReadScenarios,
  type Scenario,
  SCENARIOS_FILE,
  scenariosFile,
  scenariosSchema,
} from './scenarios/index.ts'
