//! The metrics of `GET /metrics` as a message of OTLP: a counter is a cumulative sum, a histogram has its buckets. The
//! names are the same.

use opentelemetry_proto::{
    tonic::{
        collector::metrics::v1::ExportMetricsServiceRequest,
        common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value},
        metrics::v1::{
            AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics,
            ScopeMetrics, Sum, metric::Data, number_data_point,
        },
        resource,
    },
    transform::common::tonic::ResourceAttributesWithSchema,
};
use opentelemetry_sdk::Resource;

use super::open_metrics::{self, Family, Sample};
use crate::clock::Timestamp;

/// The time that a message is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// Since when counters count.
    pub(super) started_at: Timestamp,
    pub(super) now: Timestamp,
}

/// The message with the metrics in the text of `GET /metrics`.
pub(super) fn request(text: &str, period: Period, resource: &Resource) -> ExportMetricsServiceRequest {
    let metrics = open_metrics::read(text).iter().filter_map(|family| metric(family, period)).collect();
    let scope = InstrumentationScope {
        name: "sealwright".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    };
    let attributes = ResourceAttributesWithSchema::from(resource).attributes.0;
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(resource::v1::Resource { attributes, ..resource::v1::Resource::default() }),
            scope_metrics: vec![ScopeMetrics { scope: Some(scope), metrics, ..ScopeMetrics::default() }],
            ..ResourceMetrics::default()
        }],
    }
}

/// None without a sample.
fn metric(family: &Family<'_>, period: Period) -> Option<Metric> {
    const CUMULATIVE: i32 = AggregationTemporality::Cumulative as i32;
    let sample = family.samples.first()?;
    let numbers = || family.samples.iter().filter_map(|sample| number(sample, period)).collect();
    let (name, data) = match family.metric_type {
        "counter" => {
            let data_points = numbers();
            let sum = Sum { data_points, aggregation_temporality: CUMULATIVE, is_monotonic: true };
            (sample.name, Data::Sum(sum))
        }
        "gauge" => (family.name, Data::Gauge(Gauge { data_points: numbers() })),
        "histogram" => {
            let data_points = distributions(family, period);
            (family.name, Data::Histogram(Histogram { data_points, aggregation_temporality: CUMULATIVE }))
        }
        _ => return None,
    };
    Some(Metric {
        name: name.to_owned(),
        description: family.help.to_owned(),
        // As UCUM writes it.
        unit: if family.unit == "seconds" { "s".to_owned() } else { String::new() },
        data: Some(data),
        ..Metric::default()
    })
}

fn number(sample: &Sample<'_>, period: Period) -> Option<NumberDataPoint> {
    let whole = sample.value.parse().ok().map(number_data_point::Value::AsInt);
    let value = whole.or_else(|| sample.value.parse().ok().map(number_data_point::Value::AsDouble))?;
    Some(NumberDataPoint {
        attributes: attributes(sample.labels.iter()),
        start_time_unix_nano: nanoseconds(period.started_at),
        time_unix_nano: nanoseconds(period.now),
        value: Some(value),
        ..NumberDataPoint::default()
    })
}

/// The samples of one histogram follow each other: its sum, its count, and its buckets in ascending order.
fn distributions(family: &Family<'_>, period: Period) -> Vec<HistogramDataPoint> {
    let mut points: Vec<HistogramDataPoint> = Vec::new();
    for sample in &family.samples {
        let attributes = attributes(sample.labels.iter().filter(|(key, _)| *key != "le"));
        if points.last().is_none_or(|point| point.attributes != attributes) {
            points.push(HistogramDataPoint {
                attributes,
                start_time_unix_nano: nanoseconds(period.started_at),
                time_unix_nano: nanoseconds(period.now),
                ..HistogramDataPoint::default()
            });
        }
        if let Some(point) = points.last_mut() {
            add(point, sample, family.name);
        }
    }
    points
}

fn add(point: &mut HistogramDataPoint, sample: &Sample<'_>, family: &str) {
    match sample.name.strip_prefix(family) {
        Some("_sum") => point.sum = sample.value.parse().ok(),
        Some("_count") => point.count = sample.value.parse().unwrap_or_default(),
        Some("_bucket") => {
            // The text counts what is at most the bound; OTLP also excludes what is at most the previous one.
            let up_to_here: u64 = sample.value.parse().unwrap_or_default();
            let before: u64 = point.bucket_counts.iter().sum();
            point.bucket_counts.push(up_to_here.saturating_sub(before));
            let bound = sample.labels.iter().find(|(key, _)| *key == "le").and_then(|(_, bound)| bound.parse().ok());
            // The last bucket has no bound.
            point.explicit_bounds.extend(bound.filter(|bound: &f64| bound.is_finite()));
        }
        _ => {}
    }
}

fn attributes<'a>(labels: impl Iterator<Item = &'a (&'a str, String)>) -> Vec<KeyValue> {
    let text = |value: &String| AnyValue { value: Some(any_value::Value::StringValue(value.clone())) };
    labels
        .map(|(key, value)| KeyValue { key: (*key).to_owned(), value: Some(text(value)), ..KeyValue::default() })
        .collect()
}

fn nanoseconds(moment: Timestamp) -> u64 {
    u64::try_from(moment.as_millis()).unwrap_or_default().saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(text: &str) -> Vec<Metric> {
        let period = Period { started_at: Timestamp::from_millis(1), now: Timestamp::from_millis(2) };
        let resource = Resource::builder_empty().with_service_name("sealwright").build();
        let request = request(text, period, &resource);
        let [resource] = request.resource_metrics.try_into().unwrap();
        assert_eq!(
            resource.resource.unwrap().attributes,
            attributes([("service.name", "sealwright".to_owned())].iter())
        );
        let [scope] = resource.scope_metrics.try_into().unwrap();
        scope.metrics
    }

    #[test]
    fn counters_and_gauges_keep_their_names_and_labels() {
        let text = "# HELP a Calls.\n# TYPE a counter\na_total{x=\"1\"} 5\na_total{x=\"2\"} 0.5\n\
                    # TYPE b gauge\nb -3\n# HELP none Nothing.\n# TYPE none counter\n# EOF\n";
        let [a, b] = metrics(text).try_into().unwrap();
        assert_eq!((a.name.as_str(), a.description.as_str(), a.unit.as_str()), ("a_total", "Calls.", ""));
        let Some(Data::Sum(sum)) = a.data else { panic!("{a:?}") };
        assert!(sum.is_monotonic && sum.aggregation_temporality == AggregationTemporality::Cumulative as i32);
        let values: Vec<_> = sum.data_points.iter().map(|point| point.value.unwrap()).collect();
        assert_eq!(values, [number_data_point::Value::AsInt(5), number_data_point::Value::AsDouble(0.5)]);
        assert_eq!(sum.data_points[1].attributes, attributes([("x", "2".to_owned())].iter()));
        assert_eq!(
            (sum.data_points[0].start_time_unix_nano, sum.data_points[0].time_unix_nano),
            (1_000_000, 2_000_000)
        );
        let Some(Data::Gauge(gauge)) = b.data else { panic!("{b:?}") };
        assert_eq!((b.name.as_str(), gauge.data_points[0].value), ("b", Some(number_data_point::Value::AsInt(-3))));
    }

    #[test]
    fn a_histogram_has_its_own_count_in_each_bucket() {
        let text = "# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n\
                    a_seconds_sum{x=\"1\"} 2.5\na_seconds_count{x=\"1\"} 4\na_seconds_bucket{le=\"0.1\",x=\"1\"} 1\n\
                    a_seconds_bucket{le=\"0.2\",x=\"1\"} 3\na_seconds_bucket{le=\"+Inf\",x=\"1\"} 4\n\
                    a_seconds_sum{x=\"2\"} 0.0\na_seconds_count{x=\"2\"} 0\na_seconds_bucket{le=\"+Inf\",x=\"2\"} 0\n";
        let [metric] = metrics(text).try_into().unwrap();
        assert_eq!((metric.name.as_str(), metric.unit.as_str()), ("a_seconds", "s"));
        let Some(Data::Histogram(histogram)) = metric.data else { panic!("{metric:?}") };
        let [first, second] = histogram.data_points.try_into().unwrap();
        assert_eq!((first.sum, first.count), (Some(2.5), 4));
        assert_eq!((first.explicit_bounds, first.bucket_counts), (vec![0.1, 0.2], vec![1, 2, 1]));
        assert_eq!(second.attributes, attributes([("x", "2".to_owned())].iter()));
    }
}
