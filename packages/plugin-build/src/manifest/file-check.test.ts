import type { JsonSchema } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { repairValue } from './file-check.ts'

const modes: JsonSchema = { type: 'string', enum: ['direct-mode', 'spa-mode'] }
const flag: JsonSchema = { type: 'boolean' }
const any: JsonSchema = {}

test.for([
  [['version'], 'v1.2', any, '1.2.0'],
  [['version'], '1', any, '1.0.0'],
  [['version'], '1.2.3.4', any, undefined],
  [['version'], 'latest', any, undefined],
  [['mode'], 'Direct', modes, undefined],
  [['mode'], 'spa_mode', modes, 'spa-mode'],
  [['pages', 0, 'path'], 'checkout', any, '/checkout'],
  [['pages', 0, 'path'], '../checkout', any, undefined],
  [['pages', 0, 'isDefault'], ' True ', flag, true],
  [['pages', 0, 'isDefault'], 'yes', flag, undefined],
  [['pages', 0, 'entry'], './src/home.ts', any, 'src/home.ts'],
  [['configuration', 'presets', 'dark'], './config/../dark.json', any, undefined],
  [['configuration', 'presets', 'dark'], 7, any, undefined],
] as const)('%j with the invalid %j', ([path, value, schema, meant]) => {
  expect(repairValue(path, value, schema)).toBe(meant)
})
