import { afterAll } from 'vitest'
import { addUser, openSession, type StartedApi, type StartOptions, startApi, type UserToAdd } from './callers.ts'
import { type GatewayFixture, gatewayFixture } from './devices/gatewayFixture.ts'

export interface ApiTest extends StartedApi {
  /** The token of somebody new: of the staff, or of a customer's people. Who has none is nobody. */
  readonly signedIn: (user: UserToAdd) => Promise<string>
}

/**
 * What most test files of calls begin with, at their top: `const api = await apiTest()`. The product's features on a
 * database of the file's own, until its last test has ended.
 */
export async function apiTest(options: StartOptions = {}): Promise<ApiTest> {
  const api = await startApi(options)
  afterAll(() => api.stop())
  return { ...api, signedIn: async (user) => openSession(api.pool, await addUser(api.pool, user)) }
}

/** The same beside a gateway, where the file's devices connect by MQTT. */
export async function apiTestWithDevices(
  options: Parameters<typeof gatewayFixture>[0] = {},
): Promise<ApiTest & { readonly gateway: GatewayFixture }> {
  const gateway = await gatewayFixture(options)
  afterAll(() => gateway.close())
  return { ...(await apiTest({ on: gateway.database })), gateway }
}
