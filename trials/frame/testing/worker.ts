import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../answerMessages.ts'

const server = createServer().listen(0, '127.0.0.1')
answerMessages(
  async () => ({ pid: process.pid, port: (server.address() as AddressInfo).port }),
  // It is slow, so that a frame that does not wait for it is noticed.
  () => sleep(2_000),
)
