import { useTranslation } from 'react-i18next'
import { type FieldFault, isOutdated, isUnreachable, Problem } from '../../api/problem.ts'
import type en from '../../i18n/en.ts'
import { problemKey } from './problem-key.ts'

type ProblemKey = keyof (typeof en)['problems']

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

/** Faults in one message. */
const MOST_FAULTS = 3

export interface ProblemText {
  title: string
  detail?: string
}

/**
 * Returns the text of an error in the reader's language: what happened and what to do. The detail of a code without a
 * text is English; other languages have the text of its status above it. Invalid input has its faults.
 */
export function useProblemText(): (error: unknown) => ProblemText {
  const { t, i18n } = useTranslation()
  const faultText = useFaultText()
  const sentence = (fault: FieldFault) =>
    fault.path === '' || ownText(fault) ? faultText(fault) : `${fault.path}: ${faultText(fault)}`
  return (error) => {
    if (isOutdated(error)) return { title: t('problems.outdated') }
    if (isUnreachable(error)) return { title: t('problems.unreachable') }
    if (!(error instanceof Problem)) return { title: t('problems.internal') }
    const { status, code, retryAfter, faults } = error
    const detail = faults.length > 0 ? faults.slice(0, MOST_FAULTS).map(sentence).join(' ') : error.detail
    const hasText = (name: string) => i18n.exists(`problems.${name}`)
    if (!hasText(code) && detail && i18n.language === 'en') return { title: detail }
    const title = t(`problems.${problemKey(status, code, hasText) as ProblemKey}`, {
      seconds: retryAfter ?? 60,
    })
    return { title, detail: hasText(code) && !showsDetail.includes(code) ? undefined : detail }
  }
}

/** Returns the text of a problem's code in the reader's language; undefined if the server's detail is more exact. */
export function useCodeText(): (code: string | null) => string | undefined {
  const { t, i18n } = useTranslation()
  return (code) => {
    if (!code || showsDetail.includes(code) || !i18n.exists(`problems.${code}`)) return undefined
    return t(`problems.${code as ProblemKey}`, { seconds: 60 })
  }
}

/** Faults with a text that says what it is about, by the member and the code. */
const ownTexts: [
  member: string,
  code: string,
  text: 'common_password' | 'file_size' | 'reserved_subdomain',
][] = [
  ['password', 'NotSupportedChoice', 'common_password'],
  ['file_size', 'OutOfRange', 'file_size'],
  ['subdomain', 'NotSupportedChoice', 'reserved_subdomain'],
]

const ownText = ({ path, code }: FieldFault) =>
  ownTexts.find(([member, own]) => own === code && path.endsWith(member))?.[2]

/** The server's fault texts are English; other languages use the text of the code. */
export function useFaultText(): (fault: FieldFault) => string {
  const { t, i18n } = useTranslation()
  return (fault) => {
    const { code, detail } = fault
    const own = ownText(fault)
    if (own) return t(`faults.${own}`)
    const known = faultCodes.find((name) => name === code)
    return known && i18n.language !== 'en' ? t(`faults.${known}`) : detail
  }
}
