import { threadId } from 'node:worker_threads'
import { serveTasks } from '../../src/runtime/worker-pool.ts'

/** Tasks for the threads of the pool's tests. */
export type PoolTask =
  | { do: 'answer'; value: number }
  | { do: 'spin'; ms: number }
  | { do: 'hoard' }
  | { do: 'throw'; message: string }
  | { do: 'environment' }
  | { do: 'thread' }

serveTasks<PoolTask, number | readonly string[]>((task) => {
  switch (task.do) {
    case 'answer':
      return task.value
    case 'spin':
      return spin(task.ms)
    case 'hoard':
      return hoard()
    case 'throw':
      throw new Error(task.message)
    case 'environment':
      return Object.keys(process.env)
    case 'thread':
      return threadId
  }
})

function spin(ms: number): number {
  const end = performance.now() + ms
  let turns = 0
  while (performance.now() < end) turns++
  return turns
}

function hoard(): number {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + kept.length))
}
