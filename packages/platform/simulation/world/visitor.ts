import type { Dice } from '../machine/dice.ts'
import type { Person, Town } from './people.ts'
import type { Answer } from './platforms.ts'
import { UNHASHED } from './plugin.ts'

/** A visitor who opens the plugin's page while it changes, and loads the files it names, sometimes a while later. */
export const visitor: Person = async (name, town) => {
  const { world, network, shop, memory } = town
  const dice = world.dice.fork(name)
  const times = 3 + dice.below(5)
  for (let n = 0; n < times; n++) {
    await network.pause(dice.between(500, 9_000))
    const isLive = dice.chance(0.7)
    const host = isLive ? shop.pluginHost : dice.pick(await hostsOf(name, town, dice))
    const look = (path: string) => open({ name, host, path }, town, dice)
    const fromMs = world.scheduler.nowMs
    const { status, text: html } = await look('/')
    const paths = [...html.matchAll(/(?:href|src)="([^"/:]+(?:\/[^"]+)?)"/g)].map(([, path = '']) => path)
    await network.pause(dice.chance(0.5) ? dice.between(0, 200) : dice.between(0, 12_000))
    const assets = await Promise.all(
      paths
        .filter((path) => !isLive || path !== UNHASHED)
        .map(async (path) => {
          const answer = await look(`/${path}`)
          return { path, status: answer.status, text: answer.text }
        }),
    )
    memory.plugin.visits.push({ isLive, host, fromMs, status, html, assets })
  }
}

/** The hosts of single deployments, as the list of the store has them. */
async function hostsOf(name: string, town: Town, dice: Dice): Promise<string[]> {
  const { network, shop } = town
  for (;;) {
    const answer = await network.send({
      who: name,
      method: 'POST',
      path: '/api/public/v1/plugins/deployments',
      apiKey: shop.adminKey,
      body: { storeId: shop.storeId },
    })
    if (answer?.status === 200) {
      const { deployments }: { deployments: { url: string }[] } = JSON.parse(answer.text)
      return deployments.map(({ url }) => new URL(url).host)
    }
    await network.pause(dice.between(500, 3_000))
  }
}

/** Loads an address until the platform itself says something of it. */
async function open({ name, host, path }: Address, { network }: Town, dice: Dice): Promise<Answer> {
  for (;;) {
    const answer = await network.send({ who: name, method: 'GET', path, headers: { host } })
    const isBusy = answer === null || [429, 502, 503].includes(answer.status)
    if (!isBusy) return answer
    await network.pause(dice.between(200, 3_000))
  }
}

interface Address {
  name: string
  host: string
  path: string
}
