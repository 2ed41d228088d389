import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { listRoles } from '#contract/http/people/roles.ts'
import { MOST_ROLE_RULES } from '#contract/http/people/singleSignOn.ts'
import type { RoleId } from '#domain/ids.ts'
import { type Claims, mailOfClaims, type RoleRule, roleByClaim } from '#domain/singleSignOn/roleByClaim.ts'
import { providerMessages } from './providerMessages.ts'

export interface RuleDraft {
  readonly key: number
  readonly value: string
  readonly roleId: RoleId | undefined
}

export const rulesOf = (drafts: readonly RuleDraft[]): RoleRule[] =>
  drafts.flatMap(({ value, roleId }) =>
    value.trim() === '' || roleId === undefined ? [] : [{ value: value.trim(), roleId }],
  )

interface RulesProps {
  readonly drafts: readonly RuleDraft[]
  readonly onChange: (drafts: readonly RuleDraft[]) => void
}

/** Each rule maps a value of the claim to a role; the first that matches counts. */
export function RoleRules({ drafts, onChange }: RulesProps) {
  const roles = useCall(listRoles, {})
  const data = (roles.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const change = (key: number, changes: Partial<RuleDraft>) =>
    onChange(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)))
  return (
    <fieldset className="provider-rules">
      <legend>Role mapping (first match)</legend>
      {drafts.map(({ key, value, roleId }, place) => (
        <Group key={key} gap={8} wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={`Value ${place + 1} of the claim`}
            placeholder="Value of the claim"
            maxLength={200}
            value={value}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <Select
            flex={1}
            aria-label={`Role of value ${place + 1}`}
            placeholder="Role"
            data={data}
            searchable
            allowDeselect={false}
            value={roleId === undefined ? null : String(roleId)}
            onChange={(next) => change(key, { roleId: next === null ? undefined : (Number(next) as RoleId) })}
          />
          <IconButton
            icon={IconTrash}
            size={30}
            aria-label={`Remove line ${place + 1}`}
            onClick={() => onChange(drafts.filter((draft) => draft.key !== key))}
          />
        </Group>
      ))}
      <Group>
        <ActionButton
          icon={IconPlus}
          iconSize={14}
          size="compact-sm"
          disabled={drafts.length >= MOST_ROLE_RULES}
          onClick={() => onChange([...drafts, { key: 1 + (drafts.at(-1)?.key ?? 0), value: '', roleId: undefined }])}
        >
          Add line
        </ActionButton>
      </Group>
    </fieldset>
  )
}

interface PreviewProps {
  readonly claim: string
  readonly rules: readonly RoleRule[]
  readonly domains: readonly string[]
  readonly trustsMail: boolean
}

/** It shows what these settings would give to somebody, by the same rule as the server's. */
export function RolePreview({ claim, rules, ...mailRules }: PreviewProps) {
  const roles = useCall(listRoles, {})
  const [text, setText] = useState('')
  const claims = readClaims(text)
  const roleId = claims && roleByClaim(claims, claim, rules)
  const mail = claims && mailOfClaims(claims, mailRules)
  const roleName = roles.data?.find(({ id }) => id === roleId)?.name
  return (
    <>
      <Textarea
        label="Test with sample claims"
        description="JSON, as the provider shows an ID token. It stays in this browser"
        placeholder={'{ "email": "ann@city.example", "email_verified": true, "groups": ["field"] }'}
        rows={3}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {text.trim() !== '' && !claims && <FormNote kind="failed" text={providerMessages.noClaims} />}
      {claims && roleName === undefined && <FormNote kind="failed" text={providerMessages.noRole} />}
      {claims && roleName !== undefined && <FormNote kind="info" text={providerMessages.role(roleName)} />}
      {mail && 'refused' in mail && <FormNote kind="info" text={providerMessages.mail[mail.refused]} />}
    </>
  )
}

function readClaims(text: string): Claims | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Claims) : undefined
  } catch {
    return undefined
  }
}
