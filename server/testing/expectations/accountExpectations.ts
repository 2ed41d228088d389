import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import { PASSWORD } from '#server/testing/callers.ts'
import type { Expectation, Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
}

const ADMIN = 1
const MANAGER = 2
const NEVER = 2_000_000_000
const NEW_PASSWORD = 'seven lamps over the harbour'

/** These calls take nothing from the world. */
const OWN_CALLS: Readonly<Record<string, Expectation>> = {
  'App/GetSessionList': { allowed: 'signedIn', asked: () => ({}) },
  'App/GetLastVisit': { allowed: 'signedIn', asked: () => ({}) },
  // Only the id of one's own session would be found.
  'App/EndSession': {
    allowed: 'signedIn',
    asked: () => ({ method: 'POST', body: { id: NEVER } }),
    refusal: 'not_found',
  },
  'App/DownloadPersonalData': { allowed: 'signedIn', asked: () => ({}) },
  'App/EndOtherSessions': { allowed: 'signedIn', asked: () => ({ method: 'POST' }) },
  'ApiToken/GetTokenList': { allowed: 'signedIn', asked: () => ({}) },
  'ApiToken/CreateToken': {
    allowed: 'signedIn',
    asked: () => ({ method: 'POST', body: { name: 'Program', scopes: ['devices.read'], expiresInDays: 30 } }),
  },
  // Only the id of one's own token would be found.
  'ApiToken/RevokeToken': {
    allowed: 'signedIn',
    asked: () => ({ method: 'POST', body: { id: NEVER } }),
    refusal: 'not_found',
  },
  'App/SetTimeZone': { allowed: 'signedIn', asked: () => ({ method: 'POST', body: { timeZone: 'Asia/Tokyo' } }) },
  // The other customer's rows all exist; no answer to a customer user may hold a word of them.
  'Audit/GetAuditLogList': {
    allowed: [ADMIN, MANAGER],
    asked: () => ({ method: 'POST', body: { rowNum: 1, pageSize: 500 } }),
  },
  'System/GetSystemState': { allowed: { staffWith: [ADMIN] }, asked: () => ({}) },
  'Audit/GetActionList': { allowed: 'signedIn', asked: () => ({}) },
  'Audit/GetEntityTypeList': { allowed: 'signedIn', asked: () => ({}) },
}

const SINGLE_SIGN_ON: Readonly<Record<string, Expectation>> = {
  'App/GetSignInProvider': {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { username: 'who@anywhere.example' } }),
  },
  'App/GetProviderAddress': {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { providerId: 2_000_000_000 } }),
    refusal: 'not_found',
  },
  'App/CompleteProviderSignIn': {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { attempt: '1.AAAA', redirectId: 'x', parameters: 'code=x&state=y' } }),
    refusal: 'challenge_not_valid',
  },
  'SignInProvider/GetProviderList': { allowed: { staffWith: [ADMIN] }, asked: () => ({}) },
  'SignInProvider/SetProvider': {
    allowed: { staffWith: [ADMIN] },
    asked: () => ({
      method: 'POST',
      body: {
        name: 'City ID',
        issuer: 'no address',
        clientId: 'wayside',
        clientSecret: 'secret',
        domains: [],
        roleClaim: 'groups',
        roleRules: [],
      },
    }),
    refusal: 'provider_not_usable',
  },
  'SignInProvider/DeleteProvider': {
    allowed: { staffWith: [ADMIN] },
    asked: () => ({ method: 'POST', body: { id: 2_000_000_000 } }),
    refusal: 'not_found',
  },
}

/** Expectations about the password, sessions, the own zone and the audit log. */
export function accountExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  const userIds: Record<Target, number> = {
    own: 0,
    foreign: 0,
    deleted: 0,
    never: NEVER,
    movedIn: NEVER,
    movedAway: NEVER,
  }
  let token = ''

  async function addTargetUser(target: Target) {
    if (target === 'never') return
    const { api, customers } = world()
    const { rows } = await api.pool.query(
      `with made as (insert into app_role (name) values ($1) returning id)
       insert into app_user (username, role_id, customer_id, deleted_at)
       select $1, id, $2, case when $3 then now() end from made returning id`,
      [
        `${randomUUID()}@${target}.example`,
        target === 'foreign' ? customers.foreign : customers.own,
        target === 'deleted',
      ],
    )
    userIds[target] = rows[0].id
  }

  async function addLink() {
    await addTargetUser('own')
    token = randomBytes(32).toString('base64url')
    await world().api.pool.query(
      `with mail as (insert into password_mail (user_id, kind, username, message_id)
         select id, 'reset', username, gen_random_uuid() from app_user where id = $1 returning id)
       insert into password_link select $2, id, now() + interval '1 hour' from mail`,
      [userIds.own, createHash('sha256').update(token).digest()],
    )
  }

  const sendsMail: Expectation = {
    allowed: [ADMIN],
    about: 'user',
    asked: (target) => ({ query: { id: userIds[target] } }),
    prepare: addTargetUser,
  }

  return {
    ...SINGLE_SIGN_ON,
    'App/RequestPasswordReset': {
      allowed: 'everybody',
      asked: () => ({ method: 'POST', body: { username: 'who@anywhere.example' } }),
    },
    'App/CheckPasswordLink': {
      allowed: 'everybody',
      asked: () => ({ method: 'POST', body: { token } }),
      prepare: addLink,
    },
    'App/SetPasswordByToken': {
      allowed: 'everybody',
      asked: () => ({ method: 'POST', body: { token, password: NEW_PASSWORD } }),
      prepare: addLink,
    },
    'AppUser/ChangeUserPass': {
      allowed: 'signedIn',
      asked: () => ({ query: { oldPass: PASSWORD, newPass: PASSWORD } }),
      refusal: 'weak_password',
    },
    'AppUser/GetUserSessionList': { ...sendsMail },
    'AppUser/EndUserSessions': {
      ...sendsMail,
      asked: (target) => ({ method: 'POST', body: { userId: userIds[target] } }),
    },
    'AppUser/SendRegistrationEmail': sendsMail,
    'AppUser/SendResetPasswordEmail': sendsMail,
    ...OWN_CALLS,
  }
}
