import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sizes } from '../data/retention.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './retention.module.css'

/** How large the database is, by what people understand of its tables. */
export function SizesSection({ sizes }: { sizes: Sizes }) {
  const { t } = useTranslation()
  const format = useFormat()
  const most = Math.max(...sizes.groups.map(({ bytes }) => bytes), 1)
  return (
    <Section
      title={t('retention.sizes')}
      lead={t('retention.sizes_lead', { when: format.relative(sizes.measured_at) })}
    >
      <ul className={classes.sizes}>
        {sizes.groups.map(({ group, bytes, rows }) => (
          <li key={group} className={classes.size}>
            <span>{t(`retention.groups.${group}`)}</span>
            <span
              className={classes.bar}
              style={{ '--pb-share': bytes / most } as CSSProperties}
              aria-hidden="true"
            />
            <span className={classes.number}>{format.size(bytes)}</span>
            <span className={classes.rows}>
              {rows > 0 &&
                t('retention.rows', { count: Math.round(rows), rows: format.number(Math.round(rows)) })}
            </span>
          </li>
        ))}
      </ul>
      <DescriptionList
        of={[
          [t('retention.sizes_total'), format.size(sizes.bytes)],
          [t('retention.sizes_free'), sizes.free_bytes > 0 ? format.size(sizes.free_bytes) : null],
          [t('retention.sizes_files'), format.size(sizes.file_bytes)],
        ]}
      />
    </Section>
  )
}
