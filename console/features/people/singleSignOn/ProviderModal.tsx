import { PasswordInput, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { newUuid } from '#console/lib/newUuid.ts'
import { StaffOrCustomerPicker } from '#console/pickers/StaffOrCustomerPicker.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { type SignInProvider, setSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { destinationOf, TO_BE_GIVEN_ANEW } from '#domain/secrets/movedSecrets.ts'
import { providerMessages } from './providerMessages.ts'
import { RolePreview, RoleRules, type RuleDraft, rulesOf } from './RoleRules.tsx'

interface Props {
  /** A new provider has none. */
  readonly provider: SignInProvider | undefined
  readonly callback: string
  readonly onClose: () => void
}

const LABELS = {
  name: 'Name',
  customerId: 'Customer',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  domains: 'Mail domains',
  roleClaim: 'Claim with the role',
  trustsMail: 'Its mail addresses count as verified',
  isRequired: 'The only way in',
  isOn: 'On',
} as const

const domainsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((domain) => domain !== '')

/** The secret of a provider can be written, but never read. */
export function ProviderModal({ provider, callback, onClose }: Props) {
  // The provider registers this id first, so it must be known before saving.
  const [redirectId] = useState(() => provider?.redirectId ?? newUuid())
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>(
    provider?.roleRules.map((rule, key) => ({ key, ...rule })) ?? [{ key: 0, value: '', roleId: undefined }],
  )
  const form = useProviderForm(provider, { drafts, redirectId }, onClose)
  const { field, switchField, values } = form
  return (
    <FormModal
      title={provider ? 'Edit identity provider' : 'Add identity provider'}
      size={560}
      onSubmit={form.submit}
      isBusy={form.isBusy}
      onClose={onClose}
    >
      <TextInput {...field('name')} description="Shown on the sign-in page: Continue with …" data-autofocus />
      <StaffOrCustomerPicker value={values.customerId} onChange={(customerId) => form.set({ customerId })} />
      <RedirectAddress address={`${callback}/${redirectId}`} />
      <TextInput {...field('issuer')} description="Its address, as its discovery document names it" inputMode="url" />
      <TextInput {...field('clientId')} />
      <PasswordInput
        {...field('clientSecret')}
        autoComplete="off"
        placeholder={provider ? 'Kept; type a new one to replace it' : ''}
      />
      <TextInput {...field('domains')} description="With commas between them, e.g. city.example" />
      <TextInput {...field('roleClaim')} description="A text or a list of texts, e.g. groups or roles" />
      <RoleRules drafts={drafts} onChange={setDrafts} />
      <RolePreview
        claim={values.roleClaim.trim()}
        rules={rulesOf(drafts)}
        domains={domainsIn(values.domains)}
        trustsMail={values.trustsMail}
      />
      <Switch
        {...switchField('trustsMail')}
        checked={values.trustsMail}
        description="Applies where the provider does not say. Addresses it calls unverified never count"
      />
      <Switch
        {...switchField('isRequired')}
        checked={values.isRequired}
        description="No passwords for addresses in its domains, except for staff admins"
      />
      <Switch {...switchField('isOn')} checked={values.isOn} />
    </FormModal>
  )
}

function RedirectAddress({ address }: { readonly address: string }) {
  return (
    <p className="provider-redirect">
      <b>Redirect address</b>
      <code>{address}</code>
      <CopyButton text={address} name="redirect address" />
      <span>Register it at the provider, for this provider alone</span>
    </p>
  )
}

interface BesideFields {
  readonly drafts: readonly RuleDraft[]
  readonly redirectId: string
}

function useProviderForm(
  provider: SignInProvider | undefined,
  { drafts, redirectId }: BesideFields,
  onSaved: () => void,
) {
  return useCallForm(setSignInProvider, {
    labels: LABELS,
    initial: {
      name: provider?.name ?? '',
      customerId: provider?.customerId ?? undefined,
      issuer: provider?.issuer ?? '',
      clientId: provider?.clientId ?? '',
      clientSecret: '',
      domains: provider?.domains.join(', ') ?? '',
      roleClaim: provider?.roleClaim ?? 'groups',
      trustsMail: provider?.trustsMail ?? false,
      isRequired: provider?.isRequired ?? false,
      isOn: provider?.isOn ?? true,
    },
    content: ({ name, issuer, clientId, roleClaim, customerId, clientSecret, domains, ...switches }) => ({
      ...switches,
      id: provider?.id ?? 0,
      redirectId,
      name: name.trim(),
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      roleClaim: roleClaim.trim(),
      customerId: customerId ?? null,
      domains: domainsIn(domains),
      roleRules: rulesOf(drafts),
      ...(clientSecret !== '' && { clientSecret }),
    }),
    refusals: { provider_domain_taken: 'domains', provider_not_usable: 'issuer' },
    requires: provider ? [] : ['clientSecret'],
    check: ({ issuer, clientSecret }) =>
      provider && clientSecret === '' && destinationOf(issuer.trim()) !== destinationOf(provider.issuer)
        ? { clientSecret: `${LABELS.clientSecret} ${TO_BE_GIVEN_ANEW}` }
        : {},
    saved: providerMessages.saved,
    onSaved,
  })
}
