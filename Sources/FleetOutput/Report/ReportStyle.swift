/// The style sheet of a report. Every text has a contrast of at least 4.5:1 with its background, in both colour schemes.
enum ReportStyle {
    static let sheet: StaticString = """
        :root { color-scheme: light dark; --back: #ffffff; --card: #f6f8fa; --text: #1b1f24; --soft: #505a64; --line: #d0d7de;
          --ok: #17692e; --failed: #b42318; --error: #8f4400; --unknown: #6b3fa0; --skipped: #505a64;
          --s1: #8c959f; --s2: #0969da; --s3: #bf8700; --s4: #6b3fa0; --s5: #b42318; --s6: #0a7d8c; --s7: #1a7f37; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #0d1117; --card: #161b22; --text: #e6edf3; --soft: #a9b3bd; --line: #3d444d;
            --ok: #56d364; --failed: #ff8a80; --error: #ffb26b; --unknown: #d2a8ff; --skipped: #a9b3bd;
            --s1: #8b949e; --s2: #58a6ff; --s3: #e3b341; --s4: #bc8cff; --s5: #ff7b72; --s6: #39c5cf; --s7: #3fb950; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--back); color: var(--text);
          font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.35rem; margin: 0; line-height: 1.3; }
        h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
        header h2 { font-size: 1rem; margin: 1rem 0 0; border: 0; }
        h3 { font-size: 1rem; margin: 0 0 .25rem; }
        section > h3 { margin: 1.5rem 0 .5rem; }
        p { margin: .25rem 0; }
        code, pre, .names { font-family: ui-monospace, monospace; font-size: .9em; }
        code, th, td, dd { unicode-bidi: isolate; }
        small, .when, .kind { color: var(--soft); }
        .kind, .when { font-size: .9rem; }
        .sentence { font-size: 1.25rem; font-weight: 600; margin: .75rem 0 .25rem; }
        .sentence.ok, td.ok { color: var(--ok); }
        .sentence.bad, td.failed, .badge.failed { color: var(--failed); }
        td.error, .badge.error { color: var(--error); }
        td.unknown, .badge.unknown { color: var(--unknown); }
        td.skipped, .badge.skipped { color: var(--skipped); }
        .badge { font-size: .85rem; font-weight: 600; }
        .code { font-weight: 400; color: var(--soft); }
        ul { padding-left: 1.25rem; margin: .25rem 0; }
        .counts, .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
        .legend { font-size: .85rem; }
        .swatch { display: inline-block; width: .75em; height: .75em; margin-right: .35em; border-radius: 2px; }
        .swatch.ok { background: var(--ok); } .swatch.failed { background: var(--failed); }
        .swatch.error { background: var(--error); } .swatch.unknown { background: var(--unknown); }
        .swatch.skipped { background: var(--skipped); }
        article { background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--skipped);
          border-radius: .3rem; padding: .75rem 1rem; margin: .75rem 0; }
        article.failed, article.bad { border-left-color: var(--failed); } article.error { border-left-color: var(--error); }
        article.unknown { border-left-color: var(--unknown); } article.ok { border-left-color: var(--ok); }
        .message { white-space: pre-line; }
        details { margin: .25rem 0; } summary { cursor: pointer; }
        :focus-visible { outline: 2px solid var(--s2); outline-offset: 1px; }
        pre { overflow: auto; max-height: 30rem; margin: .25rem 0; padding: .5rem; background: var(--back);
          border: 1px solid var(--line); white-space: pre-wrap; }
        .scroll { overflow-x: auto; max-width: 100%; }
        table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
        th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; font-weight: 400; }
        tbody th { font-family: ui-monospace, monospace; font-size: .85rem; max-width: 22rem; overflow-wrap: anywhere; min-width: 5rem; }
        td { max-width: 45rem; overflow-wrap: anywhere; min-width: 3rem; }
        thead th { color: var(--soft); font-size: .85rem; white-space: nowrap; }
        tbody tr { border-top: 1px solid var(--line); }
        .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
        .part { content-visibility: auto; contain-intrinsic-size: auto 400rem; }
        .part table { table-layout: fixed; width: 58rem; }
        .part th:first-child { width: 16rem; } .part th:nth-child(3) { width: 17rem; }
        .chart { min-width: 12rem; width: 30rem; }
        svg.bar { display: block; width: 100%; height: .9rem; margin: .3rem 0; background: var(--card); }
        header svg.bar { height: 1.25rem; border-radius: .2rem; }
        svg.columns { display: block; width: 100%; height: 2.5rem; border-bottom: 1px solid var(--line); }
        rect.ok { fill: var(--ok); } rect.failed, rect.bad { fill: var(--failed); } rect.error { fill: var(--error); }
        rect.unknown { fill: var(--unknown); } rect.skipped { fill: var(--skipped); }
        rect.s-resolve { fill: var(--s1); } rect.s-connect { fill: var(--s2); } rect.s-banner { fill: var(--s3); }
        rect.s-key { fill: var(--s4); } rect.s-authentication { fill: var(--s5); } rect.s-channel { fill: var(--s6); }
        rect.s-command { fill: var(--s7); }
        .s-resolve { background: var(--s1); } .s-connect { background: var(--s2); } .s-banner { background: var(--s3); }
        .s-key { background: var(--s4); } .s-authentication { background: var(--s5); } .s-channel { background: var(--s6); }
        .s-command { background: var(--s7); }
        dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .2rem 1rem; }
        dt { color: var(--soft); } dd { margin: 0; }
        @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } .chart { min-width: 8rem; } }
        @media print {
          :root { --back: #ffffff; --card: #ffffff; --text: #000000; --soft: #404040; --line: #b0b0b0; --ok: #17692e;
            --failed: #b42318; --error: #8f4400; --unknown: #6b3fa0; --skipped: #505a64; }
          body { max-width: none; padding: 0; font-size: 10pt; } article { break-inside: avoid; }
          .scroll, pre { overflow: visible; max-height: none; } .part { content-visibility: visible; }
          table, .part table { width: 100%; font-size: 8pt; }
          th, td, tbody th { min-width: 0; padding-right: .3rem; } thead th { white-space: normal; font-size: 8pt; }
          .chart { min-width: 5rem; width: auto; }
          svg, .swatch { print-color-adjust: exact; }
        }

        """
}
