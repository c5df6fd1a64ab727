import { SegmentedControl, Textarea } from '@mantine/core'
import { type ComponentProps, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Description } from '../description.tsx'
import classes from './description-field.module.css'

/** The HTML of a description, and its preview. */
export function DescriptionField(input: ComponentProps<typeof Textarea>) {
  const { t } = useTranslation()
  const [side, setSide] = useState('html')
  const id = useId()
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label htmlFor={id}>{t('field.description')}</label>
        <SegmentedControl
          size="xs"
          value={side}
          onChange={setSide}
          aria-label={t('form.description_side')}
          data={[
            { value: 'html', label: t('form.html') },
            { value: 'preview', label: t('form.preview') },
          ]}
        />
      </div>
      <p className={classes.hint}>{t('form.description_hint')}</p>
      {side === 'html' ? (
        <Textarea id={id} autosize minRows={5} maxRows={18} maxLength={65000} spellCheck={false} {...input} />
      ) : (
        <div className={classes.preview}>
          {input.value ? <Description html={String(input.value)} /> : t('form.nothing_to_preview')}
        </div>
      )}
    </div>
  )
}
