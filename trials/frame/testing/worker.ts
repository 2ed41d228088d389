import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../answerMessages.ts'

const server = createServer().listen(0, '127.0.0.1')
answerMessages(
  async () => ({ pid: process.pid, port: (server.address() as AddressInfo).port }),
  // Late, so that a frame that forgets it is found out.
  () => sleep(2_000),
)
