import { useTranslation } from 'react-i18next'
import { type FieldFault, isUnreachable, Problem } from '../api/problem.ts'

const translated = [
  'not_authorized',
  'forbidden',
  'not_found',
  'conflict',
  'invalid',
  'too_large',
  'too_many',
  'unavailable',
  'unpaid',
  'internal',
  'last_administrator',
  'own_access',
  'shared_person',
  'shared_password',
  'user_limit',
  'default_group',
  'channel_closed',
  'channel_limit',
  'intent_limit',
  'view_limit',
  'file_storage_limit',
  'upload_limit',
  'not_a_member',
  'csrf_token',
  'cross_origin',
  'other_address',
  'pipeline_limit',
  'main_pipeline',
  'pipeline_in_use',
  'stage_limit',
  'stage_in_use',
  'last_stage',
  'loss_reason_limit',
  'customers_disabled',
  'customer_status_limit',
  'customer_status_in_use',
  'default_customer_status',
  'catalog_limit',
  'lasting_catalog',
  'job_limit',
  'job_state',
  'job_too_large',
  'csv_empty',
  'csv_rows',
  'csv_columns',
  'csv_malformed',
] as const
const faultCodes = [
  'FieldMissing',
  'InvalidType',
  'NotNullable',
  'NotBlank',
  'NotSupportedChoice',
  'TooShort',
  'TooLong',
  'TooFew',
  'TooMany',
  'OutOfRange',
  'InvalidFormat',
  'NotUnique',
] as const

/** Problems for which the server's detail is more exact than our text. */
const showsDetail = ['invalid', 'conflict', 'internal', 'csv_malformed']

export interface ProblemText {
  title: string
  detail?: string
}

/** Returns the text of an error in the reader's language: what happened and what to do. */
export function useProblemText(): (error: unknown) => ProblemText {
  const { t } = useTranslation()
  return (error) => {
    if (isUnreachable(error)) return { title: t('problems.unreachable') }
    if (!(error instanceof Problem)) return { title: t('problems.internal') }
    const code = translated.find((name) => name === error.code)
    const detail = !code || showsDetail.includes(code) ? error.detail : undefined
    if (!code) return { title: error.detail || t('problems.internal') }
    return { title: t(`problems.${code}`, { seconds: error.retryAfter ?? 60 }), detail }
  }
}

/** Returns the text of a problem's code in the reader's language; undefined if the server's detail is more exact. */
export function useCodeText(): (code: string | null) => string | undefined {
  const { t } = useTranslation()
  return (code) => {
    const known = translated.find((name) => name === code && !showsDetail.includes(name))
    return known && t(`problems.${known}`, { seconds: 60 })
  }
}

/** The server's fault texts are English; other languages use the text of the code. */
export function useFaultText(): (fault: FieldFault) => string {
  const { t, i18n } = useTranslation()
  return ({ code, path, detail }) => {
    if (code === 'NotSupportedChoice' && path.endsWith('password')) return t('faults.common_password')
    const known = faultCodes.find((name) => name === code)
    return known && i18n.language !== 'en' ? t(`faults.${known}`) : detail
  }
}
