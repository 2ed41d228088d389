import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { RoleRule } from '#domain/singleSignOn/roleByClaim.ts'
import type { Moment, OptionalMoment } from './columnTypes.ts'

export interface SignInTables {
  sign_in_provider: {
    id: GeneratedAlways<number>
    name: string
    issuer: string
    client_id: string
    client_secret: string
    customer_id: CustomerId | null
    domains: string[]
    role_claim: string
    role_rules: ColumnType<readonly RoleRule[], string, string>
    trusts_mail: boolean
    is_required: boolean
    is_on: boolean
    redirect_id: Generated<string>
    created_at: Moment
    created_by: UserId | null
    deleted_at: OptionalMoment
  }
  sign_in_identity: { user_id: UserId; provider_id: number; subject: string }
  app_session: {
    token_hash: Buffer
    user_id: UserId
    created_at: Moment
    last_used_at: Moment
    expires_at: Moment
    user_agent: Generated<string>
    address: Generated<string>
    id: GeneratedAlways<number>
    proved_by: Generated<'password' | 'authenticator' | 'recoveryCode' | 'passkey' | 'singleSignOn'>
    proved_at: Generated<Date | null>
    binding_hash: Buffer | null
    is_unknown_browser: Generated<boolean>
    looked_at: OptionalMoment
  }
  user_visit: { user_id: UserId; seen_at: Date; before_at: Date | null }
  api_token: {
    id: GeneratedAlways<number>
    token_hash: Buffer
    beginning: string
    name: string
    user_id: UserId
    maker_id: UserId
    scopes: string[]
    customer_id: CustomerId | null
    with_fresh_factor: Generated<boolean>
    created_at: Moment
    expires_at: Date
    last_used_at: OptionalMoment
    revoked_at: OptionalMoment
  }
  user_factor: {
    id: GeneratedAlways<number>
    user_id: UserId
    kind: 'authenticator' | 'passkey'
    name: string
    secret: Buffer | null
    last_step: number | null
    created_at: Moment
    last_used_at: OptionalMoment
  }
  user_passkey: {
    factor_id: number
    credential_id: string
    public_key: Buffer
    use_count: ColumnType<string, number, number>
    transports: string[]
  }
  recovery_code: { user_id: UserId; code_hash: Buffer; used_at: OptionalMoment }
  held_refusal: { session_hash: Buffer; refused_at: Generated<Date>; audit_row: string }
  factor_challenge: {
    token_hash: Buffer
    user_id: UserId | null
    purpose: 'sign in' | 'enrolment' | 'authenticator' | 'passkey' | 'step up'
    session_hash: Buffer | null
    password_stamp: Generated<string>
    browser: string | null
    secret: Buffer | null
    expires_at: Date
  }
}
