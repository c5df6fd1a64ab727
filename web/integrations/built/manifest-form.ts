import { useTranslation } from 'react-i18next'
import type { DescribedWidget, Manifest, WidgetSetting } from '../../data/widgets.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { isWebAddress } from '../../parts/texts/web-address.ts'

/** The features that a widget can have. */
export const features = ['is_lead_source', 'is_work_with_dp', 'is_crm_template'] as const

/** The values of the form. An empty address for calls is absent in the API. */
export interface ManifestDraft extends Record<string, unknown>, Record<(typeof features)[number], boolean> {
  code: string
  version: string
  settings_template: WidgetSetting[]
  webhook_url: string
}

export const newSetting: WidgetSetting = { key: '', name: '', type: 'text', is_required: false }

export const draftOf = ({ manifest }: DescribedWidget): ManifestDraft => ({
  code: manifest?.code ?? '',
  version: manifest?.version ?? '',
  settings_template: (manifest?.settings_template ?? []).map(({ key, name, type, is_required }) => ({
    ...{ key, name, type, is_required },
  })),
  is_lead_source: manifest?.is_lead_source ?? false,
  is_work_with_dp: manifest?.is_work_with_dp ?? false,
  is_crm_template: manifest?.is_crm_template ?? false,
  webhook_url: manifest?.webhook_url ?? '',
})

const bodyOf = ({ webhook_url, ...draft }: ManifestDraft): Manifest => ({
  ...draft,
  code: draft.code.trim(),
  version: draft.version.trim(),
  ...(webhook_url.trim() !== '' && { webhook_url: webhook_url.trim() }),
})

/** The whole description if something in it was changed, because the API replaces it. */
export function changesOf(draft: ManifestDraft, stored: ManifestDraft): Manifest | Record<string, never> {
  const body = bodyOf(draft)
  return JSON.stringify(body) === JSON.stringify(bodyOf(stored)) ? {} : body
}

const CODE = /^[a-z0-9_]{1,64}$/
const KEY = /^[A-Za-z0-9_]{1,64}$/

/** The form of the description of a widget. */
export function useManifestForm(initialValues: ManifestDraft) {
  const { t } = useTranslation()
  return useForm<ManifestDraft>({
    initialValues,
    validate: {
      code: (value) => (CODE.test(value.trim()) ? null : t('manifest.code_rule')),
      version: (value) => (value.trim() ? null : t('faults.NotBlank')),
      settings_template: {
        key: (value, { settings_template }) => {
          if (!KEY.test(value)) return t('manifest.key_rule')
          const same = settings_template.filter(({ key }) => key === value)
          return same.length > 1 ? t('manifest.key_taken') : null
        },
      },
      webhook_url: (value) => (value.trim() === '' || isWebAddress(value) ? null : t('faults.address')),
    },
  })
}

export type ManifestForm = ReturnType<typeof useManifestForm>
