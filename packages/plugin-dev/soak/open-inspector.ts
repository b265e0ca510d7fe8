/** Measurements of a process that runs with `--inspect`. */
export interface Inspector {
  /** The size of the heap after a garbage collection. */
  heapBytes: () => Promise<number>
  close: () => void
}

/** @param address As the process prints it. */
export async function openInspector(address: string): Promise<Inspector> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: unknown) => void>()
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`There is no answer at ${address}.`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let asked = 0
  const ask = (method: string) =>
    new Promise<unknown>((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      socket.send(JSON.stringify({ id: asked, method }))
    })
  return {
    async heapBytes() {
      await ask('HeapProfiler.collectGarbage')
      return Number(Object(await ask('Runtime.getHeapUsage')).usedSize)
    },
    close: () => socket.close(),
  }
}
