import { Button } from '@mantine/core'
import { IconRobot, IconUser } from '@tabler/icons-react'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { RecordItem } from '#console/ui/records/RecordItem.tsx'
import { TOKEN_SCOPES } from '#contract/call/tokenScopes.ts'
import { type ApiToken, revokeApiToken } from '#contract/http/people/apiTokens.ts'
import { tokenMessages } from './tokenMessages.ts'

export function TokenList({ tokens }: { readonly tokens: readonly ApiToken[] }) {
  return (
    <ul className="record-list">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </ul>
  )
}

const STATES = {
  usable: undefined,
  expired: { tone: 'off', word: 'Expired' },
  blocked: { tone: 'warn', word: 'Blocked' },
} as const

function TokenRow({ token }: { readonly token: ApiToken }) {
  const { id, name, beginning, isMachine, state } = token
  const { confirm, isBusy } = useConfirmedChange(revokeApiToken)
  const revoke = () =>
    confirm(
      { body: { id } },
      {
        title: 'Revoke API token',
        text: tokenMessages.confirmRevoke(name),
        isDangerous: true,
        done: tokenMessages.revoked(name),
      },
    )
  const badge = STATES[state]
  const use = (
    <>
      {token.lastUsed === null ? (
        'Never used'
      ) : (
        <>
          Last used <Age at={token.lastUsed} />
        </>
      )}
      {` · ${state === 'expired' ? 'expired' : 'until'} ${formatMinute(token.expires)}`}
    </>
  )
  return (
    <RecordItem
      icon={isMachine ? IconRobot : IconUser}
      iconName={isMachine ? 'Machine' : 'Person'}
      name={
        <>
          {name} <code>{beginning}…</code>
          {badge && <Badge tone={badge.tone}>{badge.word}</Badge>}
        </>
      }
      more={[...ownerLabel(token), scopeLabel(token), use]}
    >
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Revoke ${name}`}
        loading={isBusy}
        onClick={() => void revoke()}
      >
        Revoke
      </Button>
    </RecordItem>
  )
}

function ownerLabel({ isMachine, isOwn, username, makerName }: ApiToken): readonly string[] {
  if (isMachine) return [`Machine ${username}, made by ${makerName}`]
  return isOwn ? [] : [`Of ${username}`]
}

function scopeLabel({ scopes, customerId, customerName, withFreshFactor }: ApiToken): string {
  const names = TOKEN_SCOPES.filter(({ id }) => scopes.includes(id)).map(({ name }) => name)
  return [
    names.join(', '),
    ...(customerId === null ? [] : [`only ${customerName || `customer ${customerId}`}`]),
    ...(withFreshFactor ? ['including calls that need a second factor'] : []),
  ].join(' · ')
}
