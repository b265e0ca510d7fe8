export {
  cardNumber,
  presetOfCard,
  scenarioSchema,
  type Scenario,
  scenarioCards,
  SCENARIOS_FILE,
  scenariosFile,
  scenariosSchema,
  settingsOf,
  type Viewport,
  viewportOf,
  viewports,
  withOutcomeCard,
} from './scenario.ts'
export { defaultScenarios, readScenarios, type ReadScenarios, scenarioIds } from './scenarios-file.ts'
