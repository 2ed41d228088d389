import { useSyncExternalStore } from 'react'
import type { BodyOf } from '#contract/call/call.ts'
import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import { getClientAuthData, login, loginNewFactor, loginSecondFactor, logout } from '#contract/http/people/signIn.ts'
import { completeProviderSignIn } from '#contract/http/people/singleSignOn.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { type Authority, isAllowed, type Permission } from '#domain/permissions/permissions.ts'
import { send } from '../call/api.ts'
import { CallFailed, mayPass } from '../call/CallFailed.ts'
import { endSession, keepSession, onSessionChange, readSession, type Session } from '../call/sessionStore.ts'

/** The session of this browser; `undefined` when nobody is signed in. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, readSession)
}

/** The signed-in user. Only below the shell, which is drawn for signed-in users alone. */
export function useUser(): SignedInUser {
  const session = useSession()
  if (!session) throw new Error('useUser outside the signed-in part of the console')
  return session.user
}

export function authorityOf(user: SignedInUser): Authority {
  return {
    functions: user.roleFunctions as FunctionId[],
    ...(user.customerId === undefined ? {} : { customerId: user.customerId }),
    isLab: user.isLab,
    isInternal: user.isInternal,
  }
}

/** Whether the signed-in user may do something; what it hides, the server refuses as well. */
export function useMay(permission: Permission): boolean {
  const session = useSession()
  return isAllowed(permission, session && authorityOf(session.user))
}

/** Customer users see only their own customer: no filter, no field for it. */
export function useIsCustomerUser(): boolean {
  return useSession()?.user.customerId !== undefined
}

export async function signIn(credentials: BodyOf<typeof login>): Promise<SignedInUser> {
  const { accessToken, ...user } = await send(login, { body: credentials })
  keepSession({ accessToken, user })
  return user
}

/** The second half of a sign-in that `signIn` was refused with `second_factor_required`. */
export async function signInByFactor(given: BodyOf<typeof loginSecondFactor>): Promise<SignedInUser> {
  const { accessToken, ...user } = await send(loginSecondFactor, { body: given })
  keepSession({ accessToken, user })
  return user
}

/** By what an identity provider said, to whom this browser went. @param parameters of the address that it came back to */
export async function signInByProvider(given: BodyOf<typeof completeProviderSignIn>): Promise<void> {
  const { accessToken, ...user } = await send(completeProviderSignIn, { body: given })
  keepSession({ accessToken, user })
}

/**
 * Ends a sign-in that `signIn` was refused with `factor_enrolment_required`.
 *
 * @returns the recovery codes, and what enters once somebody has kept them
 */
export async function signInByNewFactor(
  given: BodyOf<typeof loginNewFactor>,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly enter: () => void }> {
  const { accessToken, recoveryCodes, ...user } = await send(loginNewFactor, { body: given })
  return { recoveryCodes, enter: () => keepSession({ accessToken, user }) }
}

/** Ends the session here at once, and on the server as soon as it hears of it. */
export async function signOut(): Promise<void> {
  const ending = send(logout, {}).catch(() => undefined)
  endSession('signedOut')
  await ending
}

const RETRY_AFTER_MS = 5_000

/**
 * Reads the own data again after load, so that rights changed meanwhile count. Refused (401, 403): signs out. A lost
 * network or a server that is not ready: asks again. Returns the way to stop asking.
 */
export function keepUserFresh(): () => void {
  const stopped = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = async () => {
    const token = readSession()?.accessToken
    if (!token) return
    try {
      const user = await send(getClientAuthData, { signal: stopped.signal })
      if (readSession()?.accessToken === token) keepSession({ user })
    } catch (failure) {
      if (stopped.signal.aborted) return
      if (failure instanceof CallFailed && (failure.status === 401 || failure.status === 403)) {
        endSession('expired', token)
      } else if (mayPass(failure)) {
        timer = setTimeout(() => void refresh(), RETRY_AFTER_MS)
      }
    }
  }
  void refresh()
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}
