import { useTranslation } from 'react-i18next'
import type { Integration, NewIntegration, Permission } from '../../data/integrations.ts'
import { changedMembers } from '../../parts/forms/rebased.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { isWebAddress } from '../../parts/texts/web-address.ts'

/** The values of the form. An empty disable hook is null in the API. */
export interface IntegrationDraft extends Record<string, unknown> {
  name: string
  description: string
  redirect_uri: string
  disable_hook_url: string
  permissions: Permission[]
  access: Integration['access']
  duplicate_control: boolean
  multiple_sources: boolean
  has_widget: boolean
  revoke_on_reuse: boolean
}

export const emptyDraft: IntegrationDraft = {
  name: '',
  description: '',
  redirect_uri: '',
  disable_hook_url: '',
  permissions: ['crm'],
  access: 'private',
  duplicate_control: false,
  multiple_sources: false,
  has_widget: false,
  revoke_on_reuse: false,
}

export const draftOf = (integration: Integration): IntegrationDraft => ({
  name: integration.name,
  description: integration.description,
  redirect_uri: integration.redirect_uri,
  disable_hook_url: integration.disable_hook_url ?? '',
  permissions: [...integration.permissions],
  access: integration.access,
  duplicate_control: integration.duplicate_control,
  multiple_sources: integration.multiple_sources,
  has_widget: integration.has_widget,
  revoke_on_reuse: integration.revoke_on_reuse,
})

export const bodyOf = ({ disable_hook_url, ...draft }: IntegrationDraft): NewIntegration => ({
  ...draft,
  disable_hook_url: disable_hook_url.trim() || null,
})

/** An unchanged redirect URI must not require the password. */
export const changesOf = (draft: IntegrationDraft, stored: IntegrationDraft): Partial<NewIntegration> =>
  changedMembers(bodyOf(draft), bodyOf(stored))

export function useIntegrationForm(initialValues: IntegrationDraft) {
  const { t } = useTranslation()
  return useForm<IntegrationDraft>({
    initialValues,
    validate: {
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      redirect_uri: (value) => (isWebAddress(value) ? null : t('faults.address')),
      disable_hook_url: (value) => (value.trim() === '' || isWebAddress(value) ? null : t('faults.address')),
    },
  })
}

export type IntegrationForm = ReturnType<typeof useIntegrationForm>
