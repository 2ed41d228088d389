import { afterAll } from 'vitest'
import { addUser, openSession, type StartedApi, type StartOptions, startApi, type UserToAdd } from './callers.ts'
import { type GatewayFixture, gatewayFixture } from './devices/gatewayFixture.ts'

export interface ApiTest extends StartedApi {
  /** Signs a new user in and returns the token. A user without a customer is staff. */
  readonly signedIn: (user: UserToAdd) => Promise<string>
}

/**
 * Most test files of calls begin with `const api = await apiTest()`: the product's features on a database of the file's
 * own, until its last test has ended.
 */
export async function apiTest(options: StartOptions = {}): Promise<ApiTest> {
  const api = await startApi(options)
  afterAll(() => api.stop())
  return { ...api, signedIn: async (user) => openSession(api.pool, await addUser(api.pool, user)) }
}

/** Adds a gateway, where the file's devices connect by MQTT. */
export async function apiTestWithDevices(
  options: Parameters<typeof gatewayFixture>[0] = {},
): Promise<ApiTest & { readonly gateway: GatewayFixture }> {
  const gateway = await gatewayFixture(options)
  afterAll(() => gateway.close())
  return { ...(await apiTest({ on: gateway.database })), gateway }
}
