export { type ProblemBoard, problemBoard } from './board.ts'
export { moduleProblems, type ModuleProblems } from './module-problems.ts'
export { locateError, locateViolation } from './page-problems.ts'
export { showProblem } from './source-lines.ts'
