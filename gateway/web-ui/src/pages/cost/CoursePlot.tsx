import { axisIn, colour, numberLabels, useChart } from "../../parts/Chart";
import { useMessages } from "../../hooks/messages";
import type { Course } from "./api";
import { costMessages } from "./messages";

/** Two lines: without security, and in the chosen configuration. */
export function CoursePlot({
  title,
  course,
  logarithmic,
}: {
  title: string;
  course: Course;
  /** Whether the horizontal axis is logarithmic. */
  logarithmic?: boolean;
}) {
  const texts = useMessages(costMessages);
  const box = useChart(course, (element) => {
    const axis = axisIn(element);
    return {
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 30, 0, 0],
      scales: {
        x: { time: false, distr: logarithmic === true ? 3 : 1 },
        y: { range: (_, __, high) => [0, (high || 1) * 1.08] },
      },
      axes: [
        { ...axis, size: 28, values: numberLabels },
        { ...axis, size: 64, values: numberLabels },
      ],
      series: [
        {},
        { stroke: colour(element, "--chart-text"), width: 1.5, dash: [5, 4], points: { size: 4 } },
        { stroke: colour(element, "--chart-line"), width: 2, points: { size: 4 } },
      ],
    };
  });
  return (
    <figure className="cost-plot" data-plot>
      <figcaption>
        {title}
        <span className="cost-key">
          <span className="cost-key-chosen">{texts.chosenLine}</span>
          <span className="cost-key-plain">{texts.plainLine}</span>
        </span>
      </figcaption>
      <div ref={box} className="cost-chart" role="img" aria-label={title} />
    </figure>
  );
}
