import type { CallOf, Contract, Operation, ResponseOf } from '@tillwright/contract'
import type { CallOptions } from './send.ts'

/**
 * The API as an account's key may call it: `client.<group>.<operation>(input, options?)`, one method for each operation
 * of the contract whose audience is `key` or `admin`. Every method rejects with a `TillwrightError`.
 */
export type Client = {
  readonly [Group in keyof Contract as KeyOperation<Contract[Group]> extends never ? never : Group]: {
    readonly [Name in KeyOperation<Contract[Group]>]: KeyMethod<OperationAt<Contract[Group], Name>>
  }
}

/** One operation as a method. The input may be left out where nothing in it is required. */
export type KeyMethod<Op extends Operation> = (
  ...args: Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions]
) => Promise<ResponseOf<Op>>

/**
 * What a method takes: the operation's path parameters, query and body in one object. Where a body may repeat a path
 * parameter, the one value goes with the path; no other name is in two of them, which a test proves.
 */
export type InputOf<Op extends Operation> = Merged<CallOf<Op>>

type Merged<Parts> = (
  { [Part in keyof Parts]: (part: Parts[Part]) => void }[keyof Parts] extends (part: infer All) => void ? All : never
) extends infer Whole
  ? unknown extends Whole
    ? Record<never, never>
    : { [Key in keyof Whole]: Whole[Key] }
  : never

type KeyOperation<Group> = {
  [Name in keyof Group]: Group[Name] extends { audience: 'key' | 'admin' } ? Name : never
}[keyof Group]

type OperationAt<Group, Name extends keyof Group> = Extract<Group[Name], Operation>
