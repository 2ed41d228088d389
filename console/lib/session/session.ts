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
import { startMessages } from '../call/startMessages.ts'
import { confirmDialog } from '../notice/dialogs.ts'
import { removeKept, unsentVisits } from './onDevice.ts'

/** It returns undefined when nobody is signed in. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, readSession)
}

/** It may be used only below the shell, which is drawn for signed-in users alone. */
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

/** It only decides what is shown; the server refuses the rest as well. */
export function useMay(permission: Permission): boolean {
  const session = useSession()
  return isAllowed(permission, session && authorityOf(session.user))
}

/** Users of a customer see only their own customer, so there is no filter and no field for it. */
export function useIsCustomerUser(): boolean {
  return useSession()?.user.customerId !== undefined
}

export async function signIn(credentials: BodyOf<typeof login>): Promise<SignedInUser> {
  const { accessToken, ...user } = await send(login, { body: credentials })
  keepSession({ accessToken, user })
  return user
}

/** It completes a sign-in that `signIn` refused with `second_factor_required`. */
export async function signInByFactor(given: BodyOf<typeof loginSecondFactor>): Promise<SignedInUser> {
  const { accessToken, ...user } = await send(loginSecondFactor, { body: given })
  keepSession({ accessToken, user })
  return user
}

/**
 * It signs in by the answer of an identity provider.
 *
 * @param given includes the parameters of the address that the browser came back to
 */
export async function signInByProvider(given: BodyOf<typeof completeProviderSignIn>): Promise<void> {
  const { accessToken, ...user } = await send(completeProviderSignIn, { body: given })
  keepSession({ accessToken, user })
}

/**
 * It completes a sign-in that `signIn` refused with `factor_enrolment_required`.
 *
 * @returns the recovery codes, and a function that enters once somebody has kept them
 */
export async function signInByNewFactor(
  given: BodyOf<typeof loginNewFactor>,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly enter: () => void }> {
  const { accessToken, recoveryCodes, ...user } = await send(loginNewFactor, { body: given })
  return { recoveryCodes, enter: () => keepSession({ accessToken, user }) }
}

/** What a telephone keeps for times without network is removed; visits that are not sent yet are asked about first. */
export async function signOut(): Promise<void> {
  const unsent = unsentVisits()
  if (unsent > 0 && !(await confirmDialog({ ...startMessages.signOutUnsent(unsent), isDangerous: true }))) return
  const ending = send(logout, {}).catch(() => undefined)
  endSession('signedOut')
  await Promise.all([removeKept(), ending])
}

const RETRY_AFTER_MS = 5_000

/**
 * It reads the own user again after load, so that changed rights count. A refusal (401, 403) signs out; a lost network
 * or a server that is not ready is asked again.
 *
 * @returns a function that stops asking
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
