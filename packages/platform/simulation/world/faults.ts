/** The faults of a single message, each with its effect. */
export const messageFaults = {
  'database.request lost':
    'a transaction never reaches the database, and its process is told that the connection broke',
  'database.answer lost': 'a transaction is committed, and its process is told that the connection broke',
  'database.committed late':
    'a process is told that the connection broke, and its transaction is committed seconds later',
  'database.slow': 'a read or transaction takes up to four seconds',
  'database.serialization failure': 'a transaction fails and is run again by the database driver',
  'call.request lost': 'a request of a client never arrives',
  'call.answer lost': 'a request is served, and its answer is lost',
  'call.twice': 'a request arrives twice, through two processes where there are',
  'call.slow': 'a request or its answer is under way for up to twenty seconds',
  'call.cut off': 'a part of a request arrives, and its connection breaks',
  'processor.request lost': 'an authorisation never reaches the processor, and the connection breaks',
  'processor.answer lost': 'the processor does what it was asked for, and the connection breaks',
  'processor.silent': 'the processor does what it was asked for, and never answers',
  'processor.swallowed': 'a request never reaches the processor, and the connection stays open without an answer',
  'processor.late': 'the connection breaks, and the request reaches the processor up to a minute later',
  'processor.twice': 'a request reaches the processor twice',
  'processor.slow': 'the processor takes up to forty seconds',
  'processor.differs':
    'the processor says no, has charged or refunded, and says so by an event and when it is asked later; or its event tells of money that it has not taken',
  'receiver.down': 'a receiver of webhooks answers 503',
  'receiver.answer lost': 'a receiver takes a webhook, and its answer is lost',
  'receiver.slow': 'a receiver takes up to twenty seconds',
  'merchant.hangs': "the merchant's server takes a question and never answers",
  'merchant.down': "the merchant's server answers 500",
  'merchant.nonsense': "the merchant's server answers with what is no answer",
  'merchant.answer lost': "the merchant's server answers, and its answer is lost",
  'directory.request lost': 'a request to a directory server, or a result that it brings, never arrives',
  'directory.answer lost': 'a directory server or the platform answers, and the connection breaks',
  'directory.swallowed': 'a request to a directory server, or a result, never arrives, and nobody is told',
  'directory.silent': 'a directory server does what it was asked for, and never answers',
  'directory.slow': 'a directory server takes up to forty seconds',
  'directory.down': 'a directory server answers 500',
  'directory.nonsense':
    "a directory server answers with what is none, with somebody else's answer or a yes without proof",
  'files.request lost':
    'a request to the store of files never arrives, and its process is told that the connection broke',
  'files.answer lost':
    'the store of files does what it was asked for, and its process is told that the connection broke',
  'files.slow': 'the store of files takes up to six seconds',
} as const

/** The faults at a time of their own, of a process, the database or everything, each with its effect. */
export const eventFaults = {
  'process.crash': 'kill -9 of a process, which starts again later',
  'process.pause': 'nothing runs in a process for up to a minute',
  'process.restart': 'a process is stopped as a deployment does it, and another starts',
  'process.clock': "a machine's clock is set by up to ten minutes, either way",
  'process.partition': 'a process and the database do not reach each other for a while',
  'process.bodies': 'bodies that are announced and do not come take what a process has for all of them together',
  'database.failover': 'no transaction is taken for a while, and what was under way may be lost',
  'database.full': "the database's disk is full for a while",
  'database.clock': "the clock of the database's machine is set by up to two minutes, either way",
  'power.loss': 'every process and the database end at once',
} as const

export type MessageFault = keyof typeof messageFaults
export type EventFault = keyof typeof eventFaults

/** The probability of each message fault; 0 if absent. */
export type Rates = Partial<Record<MessageFault, number>>
