import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignatureCheck } from '../data/signatures.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Section } from '../parts/layout/section.tsx'
import { WireText } from '../webhooks/wire-text.tsx'
import classes from './signatures.module.css'

type Mistake = SignatureCheck['mistakes'][number]

/** The mistakes in a signature, the text to sign, and how to sign it. */
export function SignatureFinding({ check }: { check: SignatureCheck }) {
  const { t } = useTranslation()
  const { holds, mistakes, others, recipe, owner, expected, is_explained, is_complete } = check
  return (
    <>
      <Callout
        tone={holds ? 'info' : 'danger'}
        title={t(holds ? 'signatures.holds' : 'signatures.wrong')}
        live
      >
        {mistakes.length > 0 && <Mistakes of={mistakes} />}
        {!holds && !is_explained && <p>{t(is_complete ? 'signatures.unknown' : 'signatures.incomplete')}</p>}
      </Callout>
      {others.length > 0 && (
        <Section title={t('signatures.others')}>
          {others.map((list) => (
            <Mistakes key={list.map(({ id, detail }) => `${id} ${detail}`).join()} of={list} />
          ))}
        </Section>
      )}
      <DescriptionList
        of={[
          [t('signatures.recipe'), t(`signatures.recipes.${recipe}`)],
          [t('signatures.secret_of'), owner && (owner.name || owner.id)],
        ]}
      />
      {expected && <WireText label={t('signatures.expected')} text={expected.text} />}
      <Difference check={check} />
      <Samples key={recipe} samples={check.samples} />
    </>
  )
}

function Mistakes({ of }: { of: readonly Mistake[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.mistakes}>
      {of.map(({ id, detail }) => (
        <li key={`${id} ${detail}`}>
          {t(`signatures.mistakes.${id}`)} {detail && <code className={classes.detail}>{detail}</code>}
        </li>
      ))}
    </ul>
  )
}

/** Line breaks and other control characters as escapes. Everything else stays as it is signed. */
const shown = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  text.replace(/[\0-\x1f\x7f\ufeff]/g, (sign) => JSON.stringify(sign).slice(1, -1))

/** The two texts around their first different byte. */
function Difference({ check: { difference } }: { check: SignatureCheck }) {
  const { t } = useTranslation()
  if (!difference) return null
  return (
    <Section title={t('signatures.difference', { at: difference.at })}>
      <DescriptionList
        of={[
          [t('signatures.to_sign'), <code key="expected">{shown(difference.expected)}</code>],
          [t('signatures.signed'), <code key="signed">{shown(difference.signed)}</code>],
        ]}
      />
    </Section>
  )
}

const names = { typescript: 'TypeScript', php: 'PHP', python: 'Python', go: 'Go', ruby: 'Ruby' }
type Language = keyof SignatureCheck['samples']

function Samples({ samples }: { samples: SignatureCheck['samples'] }) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<Language>('typescript')
  return (
    <Section title={t('signatures.samples')}>
      <div className={classes.samples}>
        <SegmentedControl
          size="xs"
          aria-label={t('signatures.language')}
          data={Object.entries(names).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
        <WireText label={names[language]} text={samples[language]} />
      </div>
    </Section>
  )
}
