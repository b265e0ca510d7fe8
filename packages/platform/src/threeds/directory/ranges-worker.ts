import { serveTasks } from '../../runtime/index.ts'
import { type RangesAnswer, type RangesVerdict, readRangesAnswer } from './ranges-answer.ts'

// This file is the body of the thread that `ranges.ts` starts.
serveTasks<RangesAnswer, RangesVerdict>(readRangesAnswer)
